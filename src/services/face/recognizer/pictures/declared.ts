/** Reads the declared size of a picture without decoding, to reserve memory for it. */
import { bmpSizeOf } from "./bmp.ts";
import { type Format, findFormat } from "./format.ts";
import { PictureError } from "./picture.ts";

export const PIXELS_MAX = 64_000_000;
/** Limit of the decoded size. Channels of 16 bits need twice as much. */
export const DECODED_BYTES_MAX = 4 * PIXELS_MAX;
const BYTES_PER_PIXEL = 4;
const BYTES_PER_DEEP_PIXEL = 8;
const DEEP = 16;

type Declared = { readonly width: number; readonly height: number; readonly isDeep?: boolean };

/** JPEG start-of-frame markers: C0 to CF without tables and extensions. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
function jpegSizeOf(bytes: Buffer): Declared | undefined {
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}
const SIDE_BITS = 0x3fff;
/** The first chunk has the size: lossy, lossless or extended format. */
function webpSizeOf(bytes: Buffer): Declared | undefined {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & SIDE_BITS, height: bytes.readUInt16LE(28) & SIDE_BITS };
    case "VP8L": {
      const sides = bytes.readUInt32LE(21);
      return { width: (sides & SIDE_BITS) + 1, height: ((sides >>> 14) & SIDE_BITS) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
const READERS: Readonly<Record<Format, (bytes: Buffer) => Declared | undefined>> = {
  jpeg: jpegSizeOf,
  png: (bytes) => ({
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    isDeep: bytes[24] === DEEP,
  }),
  gif: (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  bmp: bmpSizeOf,
  webp: webpSizeOf,
};

/**
 * Memory to reserve. The maximum applies if the size is unknown or larger; the decoder then rejects too
 * large pictures.
 */
export function decodedBytesOf(picture: Uint8Array): number {
  const format = findFormat(picture);
  if (!format) return 0;
  try {
    const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.length);
    const declared = READERS[format](bytes);
    if (!declared) return DECODED_BYTES_MAX;
    const { width, height, isDeep = false } = declared;
    return Math.min(DECODED_BYTES_MAX, width * height * (isDeep ? BYTES_PER_DEEP_PIXEL : BYTES_PER_PIXEL));
  } catch (error) {
    if (error instanceof PictureError || error instanceof RangeError) return DECODED_BYTES_MAX;
    throw error;
  }
}
