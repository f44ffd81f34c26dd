/** The parts of a ZIP around the content. Written by hand, so that a job can continue in the middle of an archive. */
import { dateOf } from "#kernel/clock";

/** One file of an archive. */
export type ZipEntry = {
  readonly name: string;
  readonly crc: number;
  readonly size: number;
  readonly compressedSize: number;
  /** The offset of its header. */
  readonly offset: number;
  readonly isDeflated: boolean;
  /** Its size was unknown when its header was written. */
  readonly isStreamed: boolean;
  readonly atMs: number;
};

const VERSION = 20;
const VERSION_64 = 45;
const FLAG_UTF8 = 0x0800;
const FLAG_STREAMED = 0x0008;
const LIMIT_32 = 0xffffffff;
const LIMIT_16 = 0xffff;
const FILE_OF_UNIX = 3 << 8;
/** A regular file that everybody may read. */
const MODE = (0o100644 << 16) >>> 0;

const signature = (text: string): Buffer => Buffer.from(`PK${text}`, "latin1");
const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(Math.min(value, LIMIT_32) >>> 0);
  return bytes;
};
const huge = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** ZIP times have a resolution of two seconds and begin in 1980. */
function momentOf(atMs: number): Buffer {
  const date = dateOf(atMs);
  const year = date.getUTCFullYear();
  if (year < 1980 || year > 2107) return Buffer.concat([word(0), word((1 << 5) | 1)]);
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return Buffer.concat([word(time), word(day)]);
}

const extra64 = (...values: readonly number[]): Buffer =>
  values.length === 0
    ? Buffer.alloc(0)
    : Buffer.concat([word(1), word(values.length * 8), ...values.map(huge)]);
const flagsOf = ({ isStreamed }: Pick<ZipEntry, "isStreamed">): number =>
  FLAG_UTF8 | (isStreamed ? FLAG_STREAMED : 0);
const methodOf = ({ isDeflated }: Pick<ZipEntry, "isDeflated">): number => (isDeflated ? 8 : 0);

export function localHeader(entry: Omit<ZipEntry, "offset">): Buffer {
  const { size, compressedSize, isStreamed } = entry;
  const isLarge = isStreamed || size >= LIMIT_32 || compressedSize >= LIMIT_32;
  const name = Buffer.from(entry.name);
  const extra = isLarge ? extra64(...(isStreamed ? [0, 0] : [size, compressedSize])) : extra64();
  return Buffer.concat([
    signature("\x03\x04"),
    word(isLarge ? VERSION_64 : VERSION),
    word(flagsOf(entry)),
    word(methodOf(entry)),
    momentOf(entry.atMs),
    long(isStreamed ? 0 : entry.crc),
    long(isLarge ? LIMIT_32 : compressedSize),
    long(isLarge ? LIMIT_32 : size),
    word(name.length),
    word(extra.length),
    name,
    extra,
  ]);
}
/** The descriptor that follows streamed content. */
export const dataDescriptor = ({
  crc,
  size,
  compressedSize,
}: Pick<ZipEntry, "crc" | "size" | "compressedSize">): Buffer =>
  Buffer.concat([signature("\x07\x08"), long(crc), huge(compressedSize), huge(size)]);

export function centralHeader(entry: ZipEntry): Buffer {
  const { size, compressedSize, offset } = entry;
  const large = [size, compressedSize, offset].filter((value) => value >= LIMIT_32);
  const isLarge = large.length > 0 || entry.isStreamed;
  const name = Buffer.from(entry.name);
  const extra = extra64(...large);
  return Buffer.concat([
    signature("\x01\x02"),
    word(FILE_OF_UNIX | VERSION_64),
    word(isLarge ? VERSION_64 : VERSION),
    word(flagsOf(entry)),
    word(methodOf(entry)),
    momentOf(entry.atMs),
    long(entry.crc),
    long(compressedSize),
    long(size),
    word(name.length),
    word(extra.length),
    ...[word(0), word(0), word(0)],
    long(MODE),
    long(offset),
    name,
    extra,
  ]);
}

export function endOfArchive(entries: number, directoryStart: number, directorySize: number): Buffer {
  const isLarge = entries >= LIMIT_16 || directoryStart >= LIMIT_32 || directorySize >= LIMIT_32;
  const record64 = Buffer.concat([
    signature("\x06\x06"),
    huge(44),
    word(FILE_OF_UNIX | VERSION_64),
    word(VERSION_64),
    long(0),
    long(0),
    huge(entries),
    huge(entries),
    huge(directorySize),
    huge(directoryStart),
  ]);
  const locator = Buffer.concat([
    signature("\x06\x07"),
    long(0),
    huge(directoryStart + directorySize),
    long(1),
  ]);
  const count = word(Math.min(entries, LIMIT_16));
  const end = Buffer.concat([
    signature("\x05\x06"),
    ...[word(0), word(0), count, count],
    long(directorySize),
    long(directoryStart),
    word(0),
  ]);
  return isLarge ? Buffer.concat([record64, locator, end]) : end;
}
