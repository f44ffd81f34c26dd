/** Decodes a picture to upright RGB pixels, scaled down to the detection limit. */
import sharp, { type Sharp } from "sharp";
import { EXIF_ENTRIES_MAX, exifEntriesOf, JPEG_SCANS_MAX, jpegScansOf } from "#kernel/bytes";
import { bmpSizeOf, decodeBmp } from "./bmp.ts";
import { DECODED_BYTES_MAX, PIXELS_MAX } from "./declared.ts";
import { type Format, findFormat } from "./format.ts";
import { type Picture, PictureError, unreadable } from "./picture.ts";

const BYTES_MIN = 1024;
const BYTES_MAX = 6 * 1024 * 1024;
/** Larger pictures are scaled down, which raises the minimum face size. */
const SIDE_MAX = 1920;
const SIDE_MIN = 36;

// Each worker thread decodes one picture at a time, so sharp needs no threads.
sharp.concurrency(1);
sharp.cache(false);

type Size = { readonly width: number; readonly height: number };

export async function readPicture(bytes: Uint8Array): Promise<Picture> {
  if (bytes.length < BYTES_MIN)
    throw new PictureError("invalidImageSize", "Image size is too small: a picture has at least 1 KB.");
  if (bytes.length > BYTES_MAX)
    throw new PictureError("invalidImageSize", "Image size is too big: a picture has at most 6 MB.");
  const format = findFormat(bytes);
  if (!format)
    throw unreadable("Decoding error, image format unsupported: JPEG, PNG, GIF, BMP and WebP are read.");
  try {
    return await decode(bytes, format);
  } catch (error) {
    if (error instanceof PictureError) throw error;
    throw unreadable(`Decoding error: the ${format.toUpperCase()} is damaged.`);
  }
}

async function decode(bytes: Uint8Array, format: Format): Promise<Picture> {
  const source = await sourceOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), format);
  const { data, info } = await source.image
    .autoOrient()
    .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#808080" })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const pixels = info.channels === 3 ? data : threeChannelsOf(data, info.channels);
  const scale = Math.max(source.width, source.height) / Math.max(info.width, info.height);
  return { width: info.width, height: info.height, pixels, scale };
}

/** The header decides whether the rest is decoded. */
async function sourceOf(bytes: Buffer, format: Format): Promise<Size & { readonly image: Sharp }> {
  if (format === "bmp") {
    refuseSize(bmpSizeOf(bytes));
    const { width, height, pixels } = decodeBmp(bytes);
    return { width, height, image: sharp(pixels, { raw: { width, height, channels: 3 } }) };
  }
  if (format === "jpeg") refuseScans(bytes);
  refuseEntries(bytes, format);
  const options = { limitInputPixels: PIXELS_MAX, failOn: "truncated", sequentialRead: true } as const;
  const {
    width = 0,
    height = 0,
    pageHeight,
    channels = 3,
    depth,
  } = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
  const size = { width, height: pageHeight ?? height };
  refuseSize(size);
  refuseDepth(size.width * size.height * channels * (depth === "uchar" ? 1 : 2));
  return { ...size, image: sharp(bytes, options) };
}

function refuseDepth(bytes: number): void {
  if (bytes > DECODED_BYTES_MAX)
    throw new PictureError(
      "invalidImageSize",
      `Image size is too big: decoded it takes ${Math.round(bytes / 1e6)} MB; a picture takes at most ${DECODED_BYTES_MAX / 1e6}.`,
    );
}
function refuseScans(bytes: Buffer): void {
  if (jpegScansOf(bytes, JPEG_SCANS_MAX + 1) > JPEG_SCANS_MAX)
    throw unreadable(`Decoding error: the JPEG has more than ${JPEG_SCANS_MAX} scans.`);
}
function refuseEntries(bytes: Buffer, format: Format): void {
  if (exifEntriesOf(bytes, EXIF_ENTRIES_MAX + 1) > EXIF_ENTRIES_MAX)
    throw unreadable(
      `Decoding error: the ${format.toUpperCase()} has more than ${EXIF_ENTRIES_MAX} entries of EXIF.`,
    );
}
function refuseSize({ width, height }: Size): void {
  if (width * height > PIXELS_MAX)
    throw new PictureError(
      "invalidImageSize",
      `Image size is too big: ${width} x ${height} pixels; a picture has at most ${PIXELS_MAX / 1_000_000} million.`,
    );
  if (width < SIDE_MIN || height < SIDE_MIN)
    throw new PictureError(
      "invalidImageSize",
      `Image size is too small: ${width} x ${height} pixels; faces have at least ${SIDE_MIN} x ${SIDE_MIN}.`,
    );
}

/** Greyscale pictures have only one channel. */
function threeChannelsOf(data: Buffer, channels: number): Uint8Array {
  const count = data.length / channels;
  const pixels = new Uint8Array(count * 3);
  for (let i = 0; i < count; i += 1)
    for (let channel = 0; channel < 3; channel += 1)
      pixels[i * 3 + channel] = data[i * channels + (channels < 3 ? 0 : channel)] as number;
  return pixels;
}
