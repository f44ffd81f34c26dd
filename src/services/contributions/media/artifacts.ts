/** From a picture to its artifacts: decoded once, upright, without the camera's metadata. */
import sharp, { type Sharp } from "sharp";
import { EXIF_ENTRIES_MAX, exifEntriesOf, JPEG_SCANS_MAX, jpegScansOf } from "#kernel/bytes";
import { handOver } from "#kernel/workers";
import { type ArtifactFormat, OPTIMISED_FORMATS, PICTURE_FORMATS } from "../domain/artifact-formats.ts";
import { formatNamed } from "./format.ts";
import { decodeHeic, isHevc } from "./heic.ts";
import { drawPlaceholder } from "./placeholder.ts";
import { posterOf } from "./poster.ts";
import { PIXELS_MAX } from "./probe.ts";
import type { MadeArtifact, Result, Task } from "./tasks.ts";

// One picture at a time in a thread. Several threads give the parallelism.
sharp.concurrency(1);
sharp.cache(false);

const JPEG_QUALITY = 82;
const WEBP_QUALITY = 82;
const WHITE = "#ffffff";
/** A truncated picture is shown as far as it goes. */
const READING = { limitInputPixels: PIXELS_MAX, failOn: "none", sequentialRead: true } as const;

type Encoded = { readonly data: Buffer; readonly info: { readonly width: number; readonly height: number } };

const made = (format: ArtifactFormat, { data, info }: Encoded): MadeArtifact => ({
  label: format.label,
  contentType: format.contentType ?? "",
  fileExtension: format.fileExtension ?? "",
  width: info.width,
  height: info.height,
  bytes: new Uint8Array(data),
});

/** Each is made from the next larger one, so that the original is decoded once. */
async function scaleDown(source: Sharp, biggestFirst: readonly ArtifactFormat[]): Promise<MadeArtifact[]> {
  const [biggest] = biggestFirst;
  const side = biggest?.side ?? 0;
  const { data, info } = await source
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .flatten({ background: WHITE })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const scaled: MadeArtifact[] = [];
  for (const format of biggestFirst) {
    const encoded = await sharp(data, { raw: { width, height, channels } })
      .resize({
        width: format.side,
        height: format.side,
        fit: format.preserveAspectRatio ? "inside" : "cover",
        withoutEnlargement: !format.upscaleAllowed,
      })
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer({ resolveWithObject: true });
    scaled.push(made(format, encoded));
  }
  return scaled;
}
const BIGGEST_FIRST = [...PICTURE_FORMATS].sort((a, b) => (b.side ?? 0) - (a.side ?? 0));

/** Opens the picture: once for each of the two ways that it is read. */
type Open = (options?: { readonly animated: boolean }) => Sharp;
function openerOf(bytes: Buffer, { format }: Task): Open {
  if (format === "jpeg" && jpegScansOf(bytes, JPEG_SCANS_MAX + 1) > JPEG_SCANS_MAX)
    throw new Error(`The JPEG has more than ${JPEG_SCANS_MAX} scans.`);
  if (exifEntriesOf(bytes, EXIF_ENTRIES_MAX + 1) > EXIF_ENTRIES_MAX)
    throw new Error(`The picture has more than ${EXIF_ENTRIES_MAX} entries of EXIF.`);
  if (format !== "heic" || !isHevc(bytes)) return (options) => sharp(bytes, { ...READING, ...options });
  const { data, width, height } = decodeHeic(bytes);
  return () => sharp(data, { raw: { width, height, channels: 4 } });
}

async function optimise(open: Open, { format, width, height }: Task): Promise<MadeArtifact | undefined> {
  const { contentType } = formatNamed(format);
  const wanted = OPTIMISED_FORMATS.find(({ forContentType }) => forContentType === contentType);
  if (!wanted) return undefined;
  const isAnimated = format === "gif" || format === "webp";
  const pages = isAnimated ? ((await open().metadata()).pages ?? 1) : 1;
  // Many frames in a small file can be a decompression bomb. Only the first frame is kept.
  const animated = pages > 1 && pages * width * height <= PIXELS_MAX;
  const source = open({ animated });
  const upright = animated ? source : source.autoOrient();
  const encoded =
    wanted.contentType === "image/webp"
      ? upright.webp({ quality: WEBP_QUALITY, effort: 2 })
      : upright.flatten({ background: WHITE }).jpeg({ quality: JPEG_QUALITY });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return made(wanted, { data, info: { width: info.width, height: animated ? height : info.height } });
}

async function ofPicture(bytes: Buffer, task: Task): Promise<MadeArtifact[]> {
  const open = openerOf(bytes, task);
  const scaled = await scaleDown(open().autoOrient(), BIGGEST_FIRST);
  const optimised = await optimise(open, task);
  return optimised ? [...scaled, optimised] : scaled;
}
async function placeholders(task: Task): Promise<MadeArtifact[]> {
  const drawn = await sharp(Buffer.from(drawPlaceholder(task)))
    .png()
    .toBuffer();
  return scaleDown(sharp(drawn), BIGGEST_FIRST);
}

async function artifactsOf(task: Task): Promise<Result> {
  try {
    if (task.film) {
      const poster = await posterOf(task.film.path, task.film.durationSeconds);
      return { artifacts: await scaleDown(sharp(poster, READING), BIGGEST_FIRST) };
    }
    if (task.picture) return { artifacts: await ofPicture(Buffer.concat(task.picture), task) };
    return { artifacts: await placeholders(task) };
  } catch (error) {
    return { artifacts: await placeholders(task), problem: (error as Error).message };
  }
}

/** The entry point of a worker. */
export async function run(task: Task): Promise<Result> {
  const result = await artifactsOf(task);
  return handOver(result, ...result.artifacts.map(({ bytes }) => bytes.buffer));
}
