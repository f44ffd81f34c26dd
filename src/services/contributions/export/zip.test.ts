/** Archives beyond the old limits: more files and bytes than 16 and 32 bits can count. */
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { centralHeader, endOfArchive, type ZipEntry } from "./zip.ts";

/** Only the end of an archive exists: no reader looks at what precedes it. */
class EndOnly extends yauzl.RandomAccessReader {
  readonly #start: number;
  readonly #end: Buffer;
  constructor(start: number, end: Buffer) {
    super();
    this.#start = start;
    this.#end = end;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    const missing = Buffer.alloc(Math.max(0, this.#start - start));
    const from = Math.max(0, start - this.#start);
    return Readable.from([Buffer.concat([missing, this.#end.subarray(from, end - this.#start)])]);
  }
}
const endOf = (entries: readonly ZipEntry[], start: number): Buffer => {
  const directory = Buffer.concat(entries.map(centralHeader));
  return Buffer.concat([directory, endOfArchive(entries.length, start, directory.length)]);
};
const OPTIONS = { lazyEntries: true, autoClose: false };
type Opened = (error: Error | null, archive: ZipFile) => void;
/** The values as a ZIP reader interprets them. */
const opened = (open: (opened: Opened) => void): Promise<ZipFile> =>
  new Promise((resolve, reject) => open((error, archive) => (error ? reject(error) : resolve(archive))));
function read(archive: ZipFile, countMax: number): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const found: Entry[] = [];
    archive.on("entry", (entry: Entry) => {
      found.push(entry);
      if (found.length === countMax) resolve(found);
      else archive.readEntry();
    });
    archive.on("error", reject);
    archive.readEntry();
  });
}
const entryOf = (name: string, size: number, offset: number): ZipEntry => ({
  name,
  size,
  offset,
  compressedSize: size,
  crc: 1,
  isDeflated: false,
  isStreamed: false,
  atMs: Date.UTC(2030, 4, 1),
});

it("holds more than 65,535 files", async () => {
  const count = 65_600;
  const entries = Array.from({ length: count }, (_, number) => entryOf(`texts/${number}.txt`, 1, 0));
  const archive = await opened((done) => yauzl.fromBuffer(endOf(entries, 0), OPTIONS, done));
  const found = await read(archive, 1000);
  expect([archive.entryCount, found.at(-1)?.fileName]).toEqual([count, "texts/999.txt"]);
});

it("holds files of more than four gigabytes, and others behind them", async () => {
  const large = 5_000_000_000;
  const start = large + 200;
  const end = endOf(
    [entryOf("media/large.mp4", large, 0), entryOf("media/next.jpg", 10, large + 100)],
    start,
  );
  const archive = await opened((done) =>
    yauzl.fromRandomAccessReader(new EndOnly(start, end), start + end.length, OPTIONS, done),
  );
  const found = await read(archive, 2);
  expect(found.map((one) => [one.fileName, one.uncompressedSize, one.relativeOffsetOfLocalHeader])).toEqual([
    ["media/large.mp4", large, 0],
    ["media/next.jpg", 10, large + 100],
  ]);
});
