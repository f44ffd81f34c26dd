/** Archives whose content differs from their declared sizes, names or checksums. */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { zipOf } from "../../../../tests/support/functions.ts";
import { crcOf } from "../../../kernel/bytes/index.ts";
import { BadArchive, unpack } from "./archive.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "archive-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Written = {
  readonly name: string;
  readonly content?: Buffer;
  readonly mode?: number;
  readonly flags?: number;
  /** The size that the archive declares. */
  readonly size?: number;
  /** Whether the declared checksum is wrong. */
  readonly isDamaged?: boolean;
  /** Bytes of extra fields and of the comment in the directory. */
  readonly extra?: Buffer;
  readonly comment?: Buffer;
};
/** Byte by byte, so that anything can be said in it. */
function archiveOf(entries: readonly Written[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const {
    name,
    content = Buffer.from("x"),
    mode = 0o100644,
    flags = 0,
    size = content.length,
    isDamaged = false,
    extra = Buffer.alloc(0),
    comment = Buffer.alloc(0),
  } of entries) {
    const packed = deflateRawSync(content);
    const sum = crcOf(content) ^ Number(isDamaged);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(flags, 6);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(sum >>> 0, 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(size, 22);
    head.writeUInt16LE(Buffer.byteLength(name), 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE((3 << 8) | 20, 4);
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(sum >>> 0, 16);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(size, 24);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt16LE(comment.length, 32);
    central.writeUInt32LE((mode << 16) >>> 0, 38);
    central.writeUInt32LE(at, 42);
    directory.push(central, Buffer.from(name), extra, comment);
    parts.push(head, Buffer.from(name), packed);
    at += 30 + Buffer.byteLength(name) + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}
async function unpacked(bytes: Buffer): Promise<void> {
  const file = join(folder, "a.zip");
  await writeFile(file, bytes);
  await unpack(file, join(folder));
}

it("takes apart what is sound", async () => {
  await unpacked(await zipOf({ "index.js": "one", "deep/er/two.txt": "two", "empty.txt": "" }));
  expect(await readFile(join(folder, "deep/er/two.txt"), "utf8")).toBe("two");
  expect((await stat(join(folder, "empty.txt"))).size).toBe(0);
});

it.each<[string, readonly Written[], RegExp]>([
  ["a name that leads out", [{ name: "../out.txt" }], /cannot be read/],
  ["one that leads out further down", [{ name: "a/../../out.txt" }], /cannot be read/],
  ["an absolute name", [{ name: "/etc/out" }], /cannot be read/],
  ["a name with backslashes", [{ name: "a\\..\\b" }], /cannot be read/],
  ["a drive", [{ name: "C:/out" }], /cannot be read/],
  ["a link", [{ name: "link", mode: 0o120777, content: Buffer.from("/etc/passwd") }], /link/],
  ["a device", [{ name: "pipe", mode: 0o010644 }], /neither file nor folder/],
  ["encryption", [{ name: "secret", flags: 1 }], /encrypted/],
  ["the same name twice", [{ name: "a" }, { name: "A" }], /twice/],
  ["a name with a line break", [{ name: "a\nb", flags: 0x800 }], /name/],
  ["a name with a NUL", [{ name: "a\u0000b", flags: 0x800 }], /name|cannot be read/],
  ["a size that only 64 bits hold", [{ name: "wide", size: 0xffffffff }], /cannot be read|more than/],
  [
    "a file below a link",
    [{ name: "l", mode: 0o120777, content: Buffer.from("..") }, { name: "l/out.txt" }],
    /link/,
  ],
  ["a file that is a folder", [{ name: "a" }, { name: "a/b" }], /a file has the name of a folder/],
  ["a folder that is a file", [{ name: "a/b" }, { name: "a" }], /a file has the name of a folder/],
  ["a name that no disk holds", [{ name: "a".repeat(300) }], /a name is too long/],
  ["a size that is not so", [{ name: "small", content: Buffer.alloc(100_000), size: 10 }], /cannot be read/],
  ["a wrong checksum", [{ name: "index.js", isDamaged: true }], /damaged: "index.js"/],
  ["nothing", [], /empty/],
])("refuses %s", async (_what, entries, words) => {
  const trying = unpacked(archiveOf(entries));
  await expect(trying).rejects.toThrow(words);
  await expect(trying).rejects.toBeInstanceOf(BadArchive);
  expect(await readdir(join(folder, ".."))).not.toContain("out.txt");
});
/** Refused where it stands, whatever the others are, so that nothing is written. */
const ENCRYPTED = { name: "encrypted", flags: 0x1 };
const MIB_512 = 512 * 1024 * 1024;
const foldersOf = (count: number): readonly Written[] => [
  ...Array.from({ length: 40 }, (_, index) => ({ name: `${index}${"/a".repeat(500)}` })),
  ...Array.from({ length: count - 20_000 }, (_, index) => ({ name: `more${index}/a` })),
];
it.each<[string, readonly Written[], readonly Written[], RegExp]>([
  [
    "20,000 files",
    [ENCRYPTED, ...Array.from({ length: 19_999 }, (_, index) => ({ name: `f${index}` }))],
    [ENCRYPTED, ...Array.from({ length: 20_000 }, (_, index) => ({ name: `f${index}` }))],
    /20001 files/,
  ],
  ["20,000 folders", [...foldersOf(20_000), ENCRYPTED], [...foldersOf(20_001), ENCRYPTED], /20000 folders/],
  [
    "512 MiB",
    [{ name: "a", size: MIB_512 - 1 }, ENCRYPTED],
    [{ name: "a", size: MIB_512 }, { name: "b" }],
    /more than 536870912 bytes/,
  ],
  [
    "names of 1024 bytes",
    [{ name: `${"a/".repeat(511)}ä`, flags: 0x800 }, ENCRYPTED],
    [{ name: `${"a/".repeat(511)}äa`, flags: 0x800 }],
    /name cannot be used/,
  ],
])("refuses more than %s", async (_what, fitting, beyond, words) => {
  await expect(unpacked(archiveOf(fitting))).rejects.toThrow(/is encrypted/);
  await expect(unpacked(archiveOf(beyond))).rejects.toThrow(words);
});
const filesWith = (count: number, more: Partial<Written>): readonly Written[] =>
  Array.from({ length: count }, (_, index) => ({ name: `f${index}`, ...more }));
it.each<[string, readonly Written[]]>([
  ["extra fields", filesWith(65, { extra: Buffer.alloc(65_532) })],
  ["comments", filesWith(65, { comment: Buffer.alloc(65_532) })],
  ["both", filesWith(65, { extra: Buffer.alloc(32_768), comment: Buffer.alloc(32_768) })],
])("refuses more than 4 MB of %s", async (_what, entries) => {
  await expect(unpacked(archiveOf(entries))).rejects.toThrow(/more than 4194304 bytes of extra fields/);
});
it("takes 4 MB of extra fields, and keeps none of them in memory", async () => {
  // A field without content is four bytes in the archive, and more than a hundred in memory.
  const bytes = archiveOf(filesWith(64, { extra: Buffer.alloc(65_532), comment: Buffer.alloc(4) }));
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const unpacking = unpacked(bytes);
  while (!existsSync(join(folder, "f0"))) await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
  await unpacking;
});
it.each([
  ["text", Buffer.from("not an archive at all")],
  ["half of one", archiveOf([{ name: "a", content: Buffer.alloc(1000, 7) }]).subarray(0, 60)],
])("refuses %s", async (_what, bytes) => {
  await expect(unpacked(bytes)).rejects.toBeInstanceOf(BadArchive);
});
