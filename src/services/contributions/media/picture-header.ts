/** Metadata of pictures, from the bytes before the pixels. Nothing is decoded. */
import { boxesIn, boxesOf } from "./boxes.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { FormatName } from "./format.ts";

export type PictureHeader = {
  readonly width: number;
  readonly height: number;
  /** Bytes of a decoded pixel, if more than usual. */
  readonly bytesPerPixel?: number;
  /** Whether it is shown with width and height exchanged. If absent, EXIF says so. */
  readonly isTurned?: boolean;
  /** The raw EXIF block. */
  readonly exif?: Buffer;
};

const PARTS_MAX = 5000;
const EXIF_BYTES_MAX = 256 * 1024;
const META_BYTES_MAX = 4 * 1024 * 1024;

/** Of the markers C0 to CF, all except tables and extensions begin a frame. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const FILL_READ_BYTES = 64 * 1024;
/** Bytes 0xFF may fill the space before a marker. The offset of the last of them, which belongs to the marker. */
async function afterFill(reader: ByteReader, at: number): Promise<number> {
  for (let start = at; ; ) {
    const bytes = await reader.read(start, FILL_READ_BYTES);
    const end = bytes.findIndex((byte) => byte !== 0xff);
    if (end >= 0) return start + end - 1;
    if (bytes.length < FILL_READ_BYTES) return start + bytes.length;
    start += bytes.length;
  }
}
/** Undefined if there is no segment at this offset. */
async function segmentAt(reader: ByteReader, at: number) {
  const first = await reader.read(at, 10);
  const isFilled = first[0] === 0xff && first[1] === 0xff;
  const start = isFilled ? await afterFill(reader, at) : at;
  const head = isFilled ? await reader.read(start, 10) : first;
  if (head.length < 4 || head[0] !== 0xff || head.readUInt16BE(2) < 2) return undefined;
  const size = head.readUInt16BE(2);
  return { marker: head[1] as number, head, content: start + 4, length: size - 2, next: start + 2 + size };
}
async function readJpeg(reader: ByteReader): Promise<PictureHeader | undefined> {
  let exif: Buffer | undefined;
  for (let at = 2, count = 0; count < PARTS_MAX; count += 1) {
    const segment = await segmentAt(reader, at);
    if (!segment) return undefined;
    const { marker, head, content, length, next } = segment;
    if (isFrame(marker) && head.length >= 9)
      return { height: head.readUInt16BE(5), width: head.readUInt16BE(7), ...(exif && { exif }) };
    if (marker === 0xe1) exif ??= exifOf(await reader.read(content, length));
    at = next;
  }
  return undefined;
}
const exifOf = (content: Buffer): Buffer | undefined =>
  content.toString("latin1", 0, 6) === "Exif\0\0" ? content : undefined;

/** Channels by colour type: grey, RGB, grey with alpha, RGB with alpha. */
const PNG_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
async function readPng(reader: ByteReader): Promise<PictureHeader | undefined> {
  const head = await reader.read(8, 18);
  if (head.length < 16 || head.toString("latin1", 4, 8) !== "IHDR") return undefined;
  const isDeep = head[16] === 16;
  const size = {
    width: head.readUInt32BE(8),
    height: head.readUInt32BE(12),
    ...(isDeep && { bytesPerPixel: 2 * (PNG_CHANNELS[head[17] ?? 0] ?? 4) }),
  };
  for (let at = 8, count = 0; count < PARTS_MAX; count += 1) {
    const part = await reader.read(at, 8);
    if (part.length < 8) break;
    const length = part.readUInt32BE(0);
    const type = part.toString("latin1", 4, 8);
    if (type === "eXIf")
      return { ...size, exif: await reader.read(at + 8, Math.min(length, EXIF_BYTES_MAX)) };
    if (type === "IEND") break;
    at += length + 12;
  }
  return size;
}

async function readGif(reader: ByteReader): Promise<PictureHeader | undefined> {
  const head = await reader.read(6, 4);
  return head.length < 4 ? undefined : { width: head.readUInt16LE(0), height: head.readUInt16LE(2) };
}

/** By the first chunk: extended, lossless or lossy. */
function webpSizeOf(type: string, content: Buffer): { width: number; height: number } | undefined {
  if (content.length < 10) return undefined;
  if (type === "VP8X") return { width: 1 + content.readUIntLE(4, 3), height: 1 + content.readUIntLE(7, 3) };
  if (type === "VP8L") {
    const bits = content.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (type === "VP8 ")
    return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff };
  return undefined;
}
async function readWebp(reader: ByteReader): Promise<PictureHeader | undefined> {
  let size: { width: number; height: number } | undefined;
  for (let at = 12, count = 0; count < PARTS_MAX; count += 1) {
    const head = await reader.read(at, 18);
    if (head.length < 8) break;
    const type = head.toString("latin1", 0, 4);
    const length = head.readUInt32LE(4);
    size ??= webpSizeOf(type, head.subarray(8));
    if (size === undefined) return undefined;
    if (type === "EXIF")
      return { ...size, exif: await reader.read(at + 8, Math.min(length, EXIF_BYTES_MAX)) };
    at += 8 + length + (length % 2);
  }
  return size;
}

/** Planes and pixels are in memory together while it is decoded. */
const HEIC_BYTES = 8;
const heicPropertiesOf = (meta: Buffer) =>
  boxesIn(meta, 4)
    .filter(({ type }) => type === "iprp")
    .flatMap(({ content, end }) => boxesIn(meta, content, end))
    .filter(({ type }) => type === "ipco")
    .flatMap(({ content, end }) => boxesIn(meta, content, end));
/** By a quarter or three. The container decides about that, and EXIF only repeats it. */
const isHeicTurned = (meta: Buffer): boolean =>
  heicPropertiesOf(meta).some(
    ({ type, content, end }) => type === "irot" && end > content && (meta[content] ?? 0) % 2 === 1,
  );
/** The largest of its sizes: smaller ones belong to tiles and previews. */
function heicSizeOf(meta: Buffer): { width: number; height: number } | undefined {
  const properties = heicPropertiesOf(meta);
  const sizes = properties
    .filter(({ type, content, end }) => type === "ispe" && end - content >= 12)
    .map(({ content }) => ({
      width: meta.readUInt32BE(content + 4),
      height: meta.readUInt32BE(content + 8),
    }));
  return sizes.sort((a, b) => b.width * b.height - a.width * a.height)[0];
}
/** The id of the item with the EXIF block. */
function heicExifIdOf(meta: Buffer): number | undefined {
  const items = boxesIn(meta, 4).find(({ type }) => type === "iinf");
  if (!items) return undefined;
  const first = items.content + (meta[items.content] === 0 ? 6 : 8);
  for (const { type, content, end } of boxesIn(meta, first, items.end)) {
    if (type !== "infe" || end - content < 12) continue;
    const isWide = meta[content] === 3;
    const typeAt = content + (isWide ? 10 : 8);
    if (meta.toString("latin1", typeAt, typeAt + 4) === "Exif")
      return isWide ? meta.readUInt32BE(content + 4) : meta.readUInt16BE(content + 4);
  }
  return undefined;
}
type Place = { readonly start: number; readonly length: number };
/** The widths of the numbers in the box `iloc`: four bytes, and none or four for the base. */
const HEIC_WIDTHS: ReadonlySet<number> = new Set([0x440, 0x444]);
const baseBefore = (meta: Buffer, at: number, bytes: number): number =>
  bytes === 0 ? 0 : meta.readUInt32BE(at - bytes);
/** The position of an item in the file, from the box `iloc` of version 0 or 1, as cameras write it. */
function heicPlaceOf(meta: Buffer, item: number): Place | undefined {
  const box = boxesIn(meta, 4).find(({ type }) => type === "iloc");
  if (!box || box.end - box.content < 8) return undefined;
  const version = meta[box.content] as number;
  const sizes = meta.readUInt16BE(box.content + 4);
  if (version > 1 || !HEIC_WIDTHS.has(sizes >> 4)) return undefined;
  const baseBytes = (sizes >> 4) & 15;
  const indexBytes = version === 0 ? 0 : sizes & 15;
  let at = box.content + 8;
  for (let left = meta.readUInt16BE(box.content + 6); left > 0 && at + 6 <= box.end; left -= 1) {
    const id = meta.readUInt16BE(at);
    at += (version === 0 ? 4 : 6) + baseBytes;
    if (at + 2 > box.end) return undefined;
    const base = baseBefore(meta, at, baseBytes);
    const extents = meta.readUInt16BE(at);
    at += 2;
    const step = indexBytes + 8;
    if (id === item && extents === 1 && at + step <= box.end)
      return {
        start: base + meta.readUInt32BE(at + indexBytes),
        length: meta.readUInt32BE(at + indexBytes + 4),
      };
    at += extents * step;
  }
  return undefined;
}
async function readHeic(reader: ByteReader): Promise<PictureHeader | undefined> {
  for await (const { type, content, end } of boxesOf(reader)) {
    if (type !== "meta") continue;
    const meta = await reader.read(content, Math.min(end - content, META_BYTES_MAX));
    const found = heicSizeOf(meta);
    if (!found) return undefined;
    const size = { ...found, bytesPerPixel: HEIC_BYTES, isTurned: isHeicTurned(meta) };
    const item = heicExifIdOf(meta);
    const place = item === undefined ? undefined : heicPlaceOf(meta, item);
    if (!place) return size;
    // The four bytes before it give the offset of the EXIF block.
    const bytes = await reader.read(place.start, Math.min(place.length, EXIF_BYTES_MAX));
    const skipped = bytes.length < 4 ? 0 : 4 + bytes.readUInt32BE(0);
    return { ...size, exif: bytes.subarray(skipped) };
  }
  return undefined;
}

const READERS: Readonly<
  Partial<Record<FormatName, (reader: ByteReader) => Promise<PictureHeader | undefined>>>
> = { jpeg: readJpeg, png: readPng, gif: readGif, webp: readWebp, heic: readHeic };

/** Undefined if the header is damaged. */
export const readPictureHeader = async (
  format: FormatName,
  reader: ByteReader,
): Promise<PictureHeader | undefined> => READERS[format]?.(reader);
