/** Reads the metadata in the header of a picture or film, and refuses unsuitable files. */
import { type ByteReader, MediaProblem } from "./byte-reader.ts";
import { type CameraNotes, readCameraNotes } from "./exif.ts";
import { readFilmHeader } from "./film-header.ts";
import { BEGINNING_BYTES, type Format, type FormatName, findFormat } from "./format.ts";
import { readPictureHeader } from "./picture-header.ts";

export type Probed = CameraNotes & {
  readonly format: Format;
  /** Upright, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly durationSeconds?: number;
};

export const PIXELS_MAX = 100_000_000;
const SIDE_MAX = 30_000;
/** RGBA with eight bits each. With a higher bit depth fewer pixels are allowed. */
const USUAL_BYTES = 4;
const DEEP_BYTES = 8;
/** The limit for decoding. For animations it applies to all frames together. */
export function decodedBytesOf(
  format: FormatName,
  { width, height }: { width: number; height: number },
): number {
  if (format === "gif" || format === "webp") return PIXELS_MAX * USUAL_BYTES;
  const each = format === "png" || format === "heic" ? DEEP_BYTES : USUAL_BYTES;
  return Math.min(PIXELS_MAX * USUAL_BYTES, width * height * each);
}
const ACCEPTED = "JPEG, PNG, WebP, GIF and HEIC pictures and MP4, MOV and WebM films";

export function getFormat(beginning: Uint8Array): Format {
  const format = findFormat(beginning);
  if (!format) throw new MediaProblem(`These bytes are none that are taken here: ${ACCEPTED} are.`);
  return format;
}

function refuseSize(width: number, height: number, bytesPerPixel = USUAL_BYTES): void {
  const pixelsMax = Math.floor(PIXELS_MAX * Math.min(1, USUAL_BYTES / bytesPerPixel));
  if (width * height > pixelsMax || width > SIDE_MAX || height > SIDE_MAX)
    throw new MediaProblem(
      `It says of itself that it has ${width} x ${height} pixels; at most ${Math.floor(pixelsMax / 1_000_000)} million of ${bytesPerPixel} bytes are taken, ${SIDE_MAX} on a side.`,
    );
}
const LIES_ON_SIDE = 5;

async function probePicture(format: Format, reader: ByteReader): Promise<Probed> {
  const header = await readPictureHeader(format.name, reader);
  if (!header || header.width === 0 || header.height === 0)
    throw new MediaProblem(`The ${format.name.toUpperCase()} is damaged: it does not say how large it is.`);
  const { width, height, exif, bytesPerPixel } = header;
  refuseSize(width, height, bytesPerPixel);
  const notes = exif ? readCameraNotes(exif) : {};
  const isTurned = header.isTurned ?? (notes.orientation ?? 1) >= LIES_ON_SIDE;
  return { format, width: isTurned ? height : width, height: isTurned ? width : height, ...notes };
}
async function probeFilm(format: Format, reader: ByteReader): Promise<Probed> {
  const header = await readFilmHeader(format.name, reader);
  if (!header) throw new MediaProblem(`The ${format.name.toUpperCase()} is damaged: its header is missing.`);
  const { width, height, durationSeconds, notes } = header;
  refuseSize(width, height);
  return { format, width, height, durationSeconds, ...notes };
}

/** Throws a MediaProblem for refused media. */
export async function probe(reader: ByteReader): Promise<Probed> {
  const format = getFormat(await reader.read(0, BEGINNING_BYTES));
  return format.kind === "image" ? probePicture(format, reader) : probeFilm(format, reader);
}
