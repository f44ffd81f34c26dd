/** An application on disk: a file of JSON or `.lu`, or a folder or zip archive of `.lu` files that may refer to each other. */
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, posix, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { Value } from "@sinclair/typebox/value";
import { FailedError } from "#kernel/manifest";
import { ServiceError } from "#kernel/operation";
import type { AppJson } from "./transfer/app-json.ts";
import { appFromLu } from "./transfer/lu-read.ts";
import { joinedLu, type LuFile } from "./transfer/lu-references.ts";
import { AppShape } from "./wire/app-json.ts";

const ARCHIVE_FILES_MAX = 10_000;
const BYTES_MAX = 32 * 1024 * 1024;

/** Throws a FailedError with a readable message. */
export async function readAppAt(place: string): Promise<AppJson> {
  try {
    if (place.endsWith(".json")) return jsonOf(place, await textAt(place));
    if (place.endsWith(".zip")) return appFromLu(await textOfArchive(place));
    return appFromLu(await textOfDisk(resolve(place)));
  } catch (error) {
    if (error instanceof ServiceError) throw new FailedError(`${place}: ${error.message}`);
    throw error;
  }
}

const textAt = (place: string): Promise<string> =>
  readFile(place, "utf8").catch(() => {
    throw new FailedError(`${place} cannot be read`);
  });

async function textOfDisk(place: string): Promise<string> {
  const isFolder = (await stat(place).catch(() => undefined))?.isDirectory() ?? false;
  if (!isFolder) return joinedLu([{ path: place, text: await textAt(place) }], filesOfDisk);
  const files = await luFilesIn(place, true);
  if (files.length === 0) throw new FailedError(`${place} holds no .lu file`);
  return joinedLu(files, filesOfDisk);
}
async function luFilesIn(folder: string, isDeep: boolean): Promise<LuFile[]> {
  const names = await readdir(folder, { recursive: isDeep }).catch(() => []);
  const files: LuFile[] = [];
  let bytes = 0;
  for (const name of names.filter((one) => one.endsWith(".lu")).sort()) {
    const path = join(folder, name);
    const text = await textAt(path);
    bytes += text.length;
    if (bytes > BYTES_MAX) throw tooMuch(folder);
    files.push({ path, text });
  }
  return files;
}
async function filesOfDisk(target: string, from: string): Promise<readonly LuFile[]> {
  const path = resolve(dirname(from), target);
  const [, folder, stars] = /^(.*?)[\\/](\*{1,2})$/.exec(path) ?? [];
  if (folder !== undefined) return luFilesIn(folder, stars === "**");
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? [] : [{ path, text }];
}

const tooMuch = (place: string) =>
  new FailedError(`${place} holds more than ${BYTES_MAX} bytes of .lu files`);

/** Paths in an archive start at its root and cannot leave it. */
async function textOfArchive(place: string): Promise<string> {
  const files = await luFilesOfArchive(place).catch((error: unknown) => {
    if (error instanceof FailedError) throw error;
    throw new FailedError(`${place} cannot be read: ${(error as Error).message}`);
  });
  if (files.length === 0) throw new FailedError(`${place} holds no .lu file`);
  return joinedLu(files, async (target, from) => {
    const path = posix.resolve(posix.dirname(from), target);
    const [, folder, stars] = /^(.*\/)(\*{1,2})$/.exec(path) ?? [];
    if (folder === undefined) return files.filter((file) => file.path === path);
    return files.filter(
      (file) =>
        file.path.startsWith(folder) && (stars === "**" || !file.path.slice(folder.length).includes("/")),
    );
  });
}
async function luFilesOfArchive(place: string): Promise<LuFile[]> {
  const { openPromise } = await import("yauzl");
  const archive = await openPromise(place, { validateEntrySizes: true, autoClose: false });
  try {
    if (archive.entryCount > ARCHIVE_FILES_MAX)
      throw new FailedError(`${place} holds more than ${ARCHIVE_FILES_MAX} files`);
    const files: LuFile[] = [];
    let bytes = 0;
    for await (const entry of archive.eachEntry()) {
      if (!entry.fileName.endsWith(".lu")) continue;
      bytes += entry.uncompressedSize;
      if (bytes > BYTES_MAX) throw tooMuch(place);
      const text = (await buffer(await archive.openReadStreamPromise(entry))).toString("utf8");
      files.push({ path: posix.resolve("/", entry.fileName), text });
    }
    return files.sort((a, b) => (a.path < b.path ? -1 : 1));
  } finally {
    archive.close();
  }
}

function jsonOf(file: string, source: string): AppJson {
  let app: unknown;
  try {
    app = JSON.parse(source);
  } catch (error) {
    throw new FailedError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (Value.Check(AppShape, app)) return app;
  const [problem] = Value.Errors(AppShape, app);
  throw new FailedError(`${file} is no application: ${problem?.path} ${problem?.message}`);
}
