/** Reads the type and size of a picture from its first bytes. */

export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/gif"] as const;
export type Picture = {
  readonly type: (typeof PICTURE_TYPES)[number];
  readonly width: number;
  readonly height: number;
};

const PNG = "89504e470d0a1a0a";
const GIF = "474946383";
const JPEG = "ffd8ff";

/** Segments follow each other, each with its length; the one that begins a frame holds the size. */
function sizeOfJpeg(bytes: Buffer): { width: number; height: number } | undefined {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Undefined where the bytes are no picture of a known type. */
export function readPicture(given: Uint8Array): Picture | undefined {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const beginning = bytes.subarray(0, 8).toString("hex");
  if (beginning === PNG && bytes.length >= 24)
    return { type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (beginning.startsWith(GIF) && bytes.length >= 10)
    return { type: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const size = beginning.startsWith(JPEG) ? sizeOfJpeg(bytes) : undefined;
  return size && { type: "image/jpeg", ...size };
}
