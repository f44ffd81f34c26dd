/**
 * BMP decoder: 1, 4, 8, 16, 24 and 32 bits, palettes, masks and RLE. Header sizes are checked against the
 * length of the file.
 */
import { unreadable } from "./picture.ts";

const FILE_HEADER_BYTES = 14;
const INFO_HEADER_BYTES = 40;
const BITS: ReadonlySet<number> = new Set([1, 4, 8, 16, 24, 32]);
const PLAIN = 0;
const RUNS_OF_BYTES = 1;
const RUNS_OF_HALVES = 2;
const MASKS = 3;
const MASKS_WITH_ALPHA = 6;

type Header = {
  readonly width: number;
  readonly height: number;
  readonly topDown: boolean;
  readonly bits: number;
  readonly compression: number;
  readonly pixelsAt: number;
  readonly paletteAt: number;
  readonly colours: number;
  readonly masks: readonly [number, number, number];
};
type Pixels = { readonly width: number; readonly height: number; readonly pixels: Buffer };

export const bmpSizeOf = (bytes: Buffer): { readonly width: number; readonly height: number } =>
  headerOf(bytes);

function headerOf(bytes: Buffer): Header {
  if (bytes.length < FILE_HEADER_BYTES + INFO_HEADER_BYTES) throw unreadable("The BMP ends in its header.");
  const headerBytes = bytes.readUInt32LE(14);
  if (headerBytes < INFO_HEADER_BYTES) throw unreadable("The BMP has a header of a kind that is not read.");
  const width = bytes.readInt32LE(18);
  const signedHeight = bytes.readInt32LE(22);
  const bits = bytes.readUInt16LE(28);
  const compression = bytes.readUInt32LE(30);
  if (width <= 0 || signedHeight === 0 || !BITS.has(bits))
    throw unreadable("The BMP's header makes no sense.");
  if (!fitsCompression(bits, compression))
    throw unreadable("The BMP is compressed in a way that is not read.");
  const hasMasks = compression === MASKS || compression === MASKS_WITH_ALPHA;
  const masksBehind = hasMasks && headerBytes === INFO_HEADER_BYTES ? (compression === MASKS ? 12 : 16) : 0;
  return {
    width,
    height: Math.abs(signedHeight),
    topDown: signedHeight < 0,
    bits,
    compression,
    pixelsAt: bytes.readUInt32LE(10),
    paletteAt: FILE_HEADER_BYTES + headerBytes + masksBehind,
    colours: bits > 8 ? 0 : Math.min(bytes.readUInt32LE(46) || 1 << bits, 1 << bits),
    masks: hasMasks ? masksAt(bytes) : bits === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff],
  };
}
function fitsCompression(bits: number, compression: number): boolean {
  if (compression === PLAIN) return true;
  if (compression === RUNS_OF_BYTES) return bits === 8;
  if (compression === RUNS_OF_HALVES) return bits === 4;
  return (compression === MASKS || compression === MASKS_WITH_ALPHA) && (bits === 16 || bits === 32);
}
function masksAt(bytes: Buffer): [number, number, number] {
  const at = FILE_HEADER_BYTES + INFO_HEADER_BYTES;
  if (bytes.length < at + 12) throw unreadable("The BMP ends in its header.");
  return [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)];
}

export function decodeBmp(bytes: Buffer): Pixels {
  const header = headerOf(bytes);
  const { width, height } = header;
  const pixels = Buffer.alloc(width * height * 3);
  const runs = header.compression === RUNS_OF_BYTES || header.compression === RUNS_OF_HALVES;
  if (header.bits > 8) readColours(bytes, header, pixels);
  else
    readIndexes(runs ? new Runs(bytes, header).indexes : plainIndexes(bytes, header), bytes, header, pixels);
  return { width, height, pixels };
}

const rowOf = ({ topDown, height }: Header, y: number): number => (topDown ? y : height - 1 - y);
const rowBytesOf = ({ width, bits }: Header): number => Math.ceil((width * bits) / 32) * 4;
function checkLength(bytes: Buffer, header: Header): void {
  if (header.pixelsAt + rowBytesOf(header) * header.height > bytes.length)
    throw unreadable("The BMP ends before its last row.");
}

/** Scales the bits of a mask to a byte. */
function channelOf(mask: number): (value: number) => number {
  if (mask === 0) return () => 0;
  const shift = Math.log2(mask & -mask) | 0;
  const most = mask >>> shift;
  return (value) => (((value & mask) >>> shift) * 255) / most;
}
function readColours(bytes: Buffer, header: Header, pixels: Buffer): void {
  checkLength(bytes, header);
  const [red, green, blue] = header.masks.map(channelOf) as [
    (value: number) => number,
    (value: number) => number,
    (value: number) => number,
  ];
  const step = header.bits / 8;
  for (let y = 0; y < header.height; y += 1) {
    let from = header.pixelsAt + y * rowBytesOf(header);
    let to = rowOf(header, y) * header.width * 3;
    for (let x = 0; x < header.width; x += 1) {
      const value = bytes.readUIntLE(from, step);
      pixels[to] = red(value);
      pixels[to + 1] = green(value);
      pixels[to + 2] = blue(value);
      from += step;
      to += 3;
    }
  }
}

/** One palette index for each pixel, bottom row first as in the file. */
function plainIndexes(bytes: Buffer, header: Header): Uint8Array {
  checkLength(bytes, header);
  const { width, height, bits } = header;
  const indexes = new Uint8Array(width * height);
  const perByte = 8 / bits;
  for (let y = 0; y < height; y += 1) {
    const from = header.pixelsAt + y * rowBytesOf(header);
    for (let x = 0; x < width; x += 1) {
      const byte = bytes[from + Math.floor(x / perByte)] as number;
      indexes[y * width + x] = (byte >> (8 - bits - (x % perByte) * bits)) & ((1 << bits) - 1);
    }
  }
  return indexes;
}

/** RLE may end a row or the picture early, or skip pixels. Skipped pixels have palette index 0. */
class Runs {
  readonly indexes: Uint8Array;
  readonly #bytes: Buffer;
  readonly #header: Header;
  readonly #halves: boolean;
  #x = 0;
  #y = 0;
  #at: number;

  constructor(bytes: Buffer, header: Header) {
    this.#bytes = bytes;
    this.#header = header;
    this.#halves = header.compression === RUNS_OF_HALVES;
    this.#at = header.pixelsAt;
    this.indexes = new Uint8Array(header.width * header.height);
    while (this.#at + 1 < bytes.length && this.#y < header.height && this.#step());
  }
  /** False at the end of the picture. */
  #step(): boolean {
    const count = this.#byteAt(this.#at);
    const value = this.#byteAt(this.#at + 1);
    this.#at += 2;
    if (count > 0) this.#repeat(count);
    else if (value === 0) this.#move(-this.#x, 1);
    else if (value === 1) return false;
    else if (value === 2) this.#jump();
    else this.#copy(value);
    return true;
  }
  #byteAt(at: number): number {
    return this.#bytes[at] ?? 0;
  }
  #repeat(count: number): void {
    for (let i = 0; i < count; i += 1) this.#put(this.#indexIn(this.#at - 1, this.#halves ? i % 2 : 0));
  }
  #copy(count: number): void {
    for (let i = 0; i < count; i += 1) this.#put(this.#indexIn(this.#at, i));
    const used = this.#halves ? Math.ceil(count / 2) : count;
    this.#at += used + (used % 2);
  }
  #jump(): void {
    this.#move(this.#byteAt(this.#at), this.#byteAt(this.#at + 1));
    this.#at += 2;
  }
  #move(right: number, up: number): void {
    this.#x += right;
    this.#y += up;
  }
  #put(index: number): void {
    const { width, height } = this.#header;
    if (this.#x < width && this.#y < height) this.indexes[this.#y * width + this.#x] = index;
    this.#x += 1;
  }
  #indexIn(from: number, i: number): number {
    if (!this.#halves) return this.#byteAt(from + i);
    const byte = this.#byteAt(from + (i >> 1));
    return i % 2 === 0 ? byte >> 4 : byte & 15;
  }
}

function readIndexes(indexes: Uint8Array, bytes: Buffer, header: Header, pixels: Buffer): void {
  const { width, height, paletteAt, colours } = header;
  if (paletteAt + colours * 4 > bytes.length) throw unreadable("The BMP ends in its palette.");
  for (let y = 0; y < height; y += 1) {
    let to = rowOf(header, y) * width * 3;
    for (let x = 0; x < width; x += 1) {
      const index = indexes[y * width + x] as number;
      const from = paletteAt + Math.min(index, colours - 1) * 4;
      pixels[to] = bytes[from + 2] as number;
      pixels[to + 1] = bytes[from + 1] as number;
      pixels[to + 2] = bytes[from] as number;
      to += 3;
    }
  }
}
