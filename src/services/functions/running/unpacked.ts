/** Files of a revision on the disk of this node: its source and its secrets. */
import { createWriteStream } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { unpack } from "./archive.ts";

export async function unpackStream(
  parts: AsyncIterable<Uint8Array>,
  folder: string,
  into: string,
): Promise<void> {
  const archive = join(folder, "archive.zip");
  try {
    await pipeline(Readable.from(parts), createWriteStream(archive));
    await unpack(archive, into);
  } finally {
    await rm(archive, { force: true });
  }
}
/** Writes each secret folder of the function into a folder of the server. */
export async function writeSecrets(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<{ from: string; to: string }[]> {
  const folders = new Map<string, string>();
  for (const [path, content] of Object.entries(files)) {
    const to = dirname(path);
    const from = folders.get(to) ?? join(folder, `secrets-${folders.size}`);
    folders.set(to, from);
    await mkdir(from, { recursive: true });
    await writeFile(join(from, path.slice(to.length + 1)), content);
  }
  return [...folders].map(([to, from]) => ({ from, to }));
}
