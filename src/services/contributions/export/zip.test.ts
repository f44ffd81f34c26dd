/** Archives past the limits of old: more files, and more bytes, than sixteen and thirty-two bits can count. */
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { centralHeader, endOfArchive, type ZipEntry } from "./zip.ts";

/** Only the end of an archive is there: what comes before it is never looked at. */
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
/** As a reader of archives understands them. */
async function read(open: (opened: Opened) => void): Promise<Entry[]> {
  const archive = await new Promise<ZipFile>((resolve, reject) =>
    open((error, opened) => (error ? reject(error) : resolve(opened))),
  );
  return new Promise((resolve, reject) => {
    const found: Entry[] = [];
    archive.on("entry", (entry: Entry) => {
      found.push(entry);
      archive.readEntry();
    });
    archive.on("end", () => resolve(found));
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
  const found = await read((opened) => yauzl.fromBuffer(endOf(entries, 0), OPTIONS, opened));
  expect([found.length, found.at(-1)?.fileName]).toEqual([count, `texts/${count - 1}.txt`]);
});

it("holds files of more than four gigabytes, and others behind them", async () => {
  const large = 5_000_000_000;
  const start = large + 200;
  const end = endOf(
    [entryOf("media/large.mp4", large, 0), entryOf("media/next.jpg", 10, large + 100)],
    start,
  );
  const found = await read((opened) =>
    yauzl.fromRandomAccessReader(new EndOnly(start, end), start + end.length, OPTIONS, opened),
  );
  expect(found.map((one) => [one.fileName, one.uncompressedSize, one.relativeOffsetOfLocalHeader])).toEqual([
    ["media/large.mp4", large, 0],
    ["media/next.jpg", 10, large + 100],
  ]);
});
