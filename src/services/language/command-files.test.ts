/** How much a folder or an archive of `.lu` files holds: the last that is read, and the first that is refused. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { isFirstPart } from "../../../tests/support/test-part.ts";
import { readAppAt } from "./command-files.ts";

const BYTES = 33_554_432;
const folder = mkdtempSync(join(tmpdir(), "medley-language-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const INTENT = "# Greet\n- hello\n> ";
const intentsOf = async (place: string) => (await readAppAt(place)).intents?.map(({ name }) => name);
async function archiveOf(name: string, fill: (archive: ZipFile) => void): Promise<string> {
  const archive = new ZipFile();
  archive.addBuffer(Buffer.from(INTENT), "main.lu");
  fill(archive);
  archive.end();
  const place = join(folder, name);
  writeFileSync(place, await buffer(archive.outputStream));
  return place;
}

/** The directory at its end names the last file more often, so that there are so many. */
function namingMore(archive: Buffer, count: number): Buffer {
  const end = Buffer.from(archive.subarray(-22));
  const start = end.readUInt32LE(16);
  const names = archive.subarray(start, -22);
  const last = names.subarray(names.lastIndexOf("PK\x01\x02"));
  const more = Array<Buffer>(count - end.readUInt16LE(10)).fill(last);
  for (const at of [8, 10]) end.writeUInt16LE(count, at);
  end.writeUInt32LE(names.length + more.length * last.length, 12);
  return Buffer.concat([archive.subarray(0, start), names, ...more, end]);
}

it("ten thousand files of an archive", async () => {
  const place = await archiveOf("many.zip", (archive) => archive.addBuffer(Buffer.from("x"), "x"));
  const archive = readFileSync(place);
  writeFileSync(place, namingMore(archive, 10_000));
  expect(await intentsOf(place)).toContain("Greet");
  writeFileSync(place, namingMore(archive, 10_001));
  await expect(readAppAt(place)).rejects.toThrow(/holds more than 10000 files$/);
});

it.skipIf(isFirstPart())("32 MB of an archive, and of a folder", async () => {
  const more = (bytes: number) => Buffer.from("> ".padEnd(bytes - INTENT.length, "x"));
  const archive = (bytes: number) =>
    archiveOf(`${bytes}-bytes.zip`, (zip) => zip.addBuffer(more(bytes), "more.lu"));
  expect(await intentsOf(await archive(BYTES))).toContain("Greet");
  const refusal = /holds more than 33554432 bytes of .lu files$/;
  await expect(readAppAt(await archive(BYTES + 1))).rejects.toThrow(refusal);
  const place = join(folder, "desk");
  mkdirSync(place);
  writeFileSync(join(place, "main.lu"), INTENT);
  writeFileSync(join(place, "more.lu"), more(BYTES));
  expect(await intentsOf(place)).toContain("Greet");
  writeFileSync(join(place, "more.lu"), more(BYTES + 1));
  await expect(readAppAt(place)).rejects.toThrow(refusal);
});

it.skipIf(isFirstPart())("32 MB that references take from other files", async () => {
  const place = join(folder, "taking");
  mkdirSync(place);
  const item = "- ".padEnd(1024 * 1024, "x");
  const main = `${INTENT}\n${"- [some](./other.lu#*utterances*)\n".repeat(32)}`;
  writeFileSync(join(place, "other.lu"), `# Other\n${item}`);
  writeFileSync(join(place, "main.lu"), main);
  expect(await intentsOf(join(place, "main.lu"))).toContain("Greet");
  writeFileSync(join(place, "other.lu"), `# Other\n${item}x`);
  await expect(readAppAt(join(place, "main.lu"))).rejects.toThrow(
    "References take more than 33554432 characters from other files.",
  );
});
it("very many items of another file", async () => {
  const place = join(folder, "items");
  mkdirSync(place);
  writeFileSync(join(place, "other.lu"), `# Other\n${"- hello\n".repeat(150_000)}`);
  writeFileSync(join(place, "main.lu"), `${INTENT}\n- [some](./other.lu#*utterances*)\n`);
  expect((await readAppAt(join(place, "main.lu"))).utterances?.length).toBe(150_001);
});
