/** Metadata of films: size, duration, time, camera and position. Nothing is decoded. */
import { parseInstant } from "#kernel/clock";
import { type Box, boxesIn, boxesOf } from "./boxes.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type CameraNotes, cameraName, cleanText, validPosition } from "./exif.ts";
import type { FormatName } from "./format.ts";
import { readWebm } from "./webm.ts";

export type FilmHeader = {
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number;
  readonly notes: CameraNotes;
};

const MOVIE_BYTES_MAX = 32 * 1024 * 1024;
/** Film times count from 1904. */
const EPOCH_1904_SECONDS = 2_082_844_800;
const ISO_6709 = /^([+-]\d{1,3}(?:\.\d{1,8})?)([+-]\d{1,3}(?:\.\d{1,8})?)/;

/** The path of nested boxes, outermost first. */
function within(bytes: Buffer, boxes: readonly Box[], ...path: readonly string[]): Box[] {
  return path.reduce<readonly Box[]>(
    (found, name, depth) =>
      (depth === 0 ? found : found.flatMap(({ content, end }) => boxesIn(bytes, content, end))).filter(
        ({ type }) => type === name,
      ),
    boxes,
  ) as Box[];
}

type Clock = { readonly createdAtMs: number; readonly durationSeconds: number };
function clockOf(bytes: Buffer, { content, end }: Box): Clock | undefined {
  const isLong = bytes[content] === 1;
  if (end - content < (isLong ? 32 : 20)) return undefined;
  const created = isLong ? Number(bytes.readBigUInt64BE(content + 4)) : bytes.readUInt32BE(content + 4);
  const at = content + (isLong ? 20 : 12);
  const scale = bytes.readUInt32BE(at);
  const length = isLong ? Number(bytes.readBigUInt64BE(at + 4)) : bytes.readUInt32BE(at + 4);
  const seconds = scale === 0 ? 0 : length / scale;
  return {
    createdAtMs: (created - EPOCH_1904_SECONDS) * 1000,
    durationSeconds: Number.isFinite(seconds) && seconds < 1e9 ? seconds : 0,
  };
}

/** The size as shown: a rotation by 90 degrees swaps width and height. */
function sizeOfTrack(bytes: Buffer, { content, end }: Box): { width: number; height: number } | undefined {
  const matrix = content + (bytes[content] === 1 ? 52 : 40);
  if (matrix + 44 > end) return undefined;
  const width = bytes.readUInt32BE(matrix + 36) >>> 16;
  const height = bytes.readUInt32BE(matrix + 40) >>> 16;
  const isTurned = bytes.readInt32BE(matrix) === 0 && bytes.readInt32BE(matrix + 4) !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** Texts that cameras add, by their four-letter or long name. */
function textsOf(bytes: Buffer, movie: readonly Box[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { type, content, end } of within(bytes, movie, "udta").flatMap((box) =>
    boxesIn(bytes, box.content, box.end),
  ))
    if (type.startsWith("\u00a9") && end - content > 4)
      texts.set(type.slice(1), cleanText(bytes.toString("utf8", content + 4, Math.min(end, content + 200))));
  for (const meta of within(bytes, movie, "meta")) readMeta(bytes, meta, texts);
  return texts;
}
/** QuickTime's own format: first the names, then values by the number of their name. */
function readMeta(bytes: Buffer, meta: Box, texts: Map<string, string>): void {
  // QuickTime omits the four bytes of version and flags.
  const from = bytes.toString("latin1", meta.content + 4, meta.content + 8) === "hdlr" ? 0 : 4;
  const inside = boxesIn(bytes, meta.content + from, meta.end);
  const keys = inside.find(({ type }) => type === "keys");
  const list = inside.find(({ type }) => type === "ilst");
  if (!keys || !list) return;
  const names = boxesIn(bytes, keys.content + 8, keys.end).map(({ content, end }) =>
    bytes.toString("latin1", content, end),
  );
  for (const item of boxesIn(bytes, list.content, list.end)) {
    const name = names[Buffer.from(item.type, "latin1").readUInt32BE(0) - 1];
    const data = boxesIn(bytes, item.content, item.end).find(({ type }) => type === "data");
    if (name === undefined || !data || data.end - data.content <= 8) continue;
    const value = bytes.toString("utf8", data.content + 8, Math.min(data.end, data.content + 208));
    texts.set(name.replace("com.apple.quicktime.", ""), cleanText(value));
  }
}

function notesOf(texts: ReadonlyMap<string, string>, createdAtMs: number): CameraNotes {
  const [, latitude, longitude] =
    ISO_6709.exec(texts.get("location.ISO6709") ?? texts.get("xyz") ?? "") ?? [];
  const position = latitude === undefined ? undefined : validPosition(Number(latitude), Number(longitude));
  // Its time offset has no colon.
  const said = (texts.get("creationdate") ?? "").replace(/([+-]\d{2})(\d{2})$/, "$1:$2");
  const takenAtMs = parseInstant(said) ?? createdAtMs;
  const camera = cameraName(
    texts.get("make") ?? texts.get("mak") ?? "",
    texts.get("model") ?? texts.get("mod") ?? "",
  );
  return {
    ...(takenAtMs > 0 && { takenAtMs }),
    ...(camera !== undefined && { camera }),
    ...(position && { position }),
  };
}

async function readMovie(reader: ByteReader): Promise<FilmHeader | undefined> {
  for await (const { type, content, end } of boxesOf(reader)) {
    if (type !== "moov") continue;
    if (end - content > MOVIE_BYTES_MAX) return undefined;
    const bytes = await reader.read(content, end - content);
    const movie = boxesIn(bytes);
    const head = movie.find((box) => box.type === "mvhd");
    const clock = head && clockOf(bytes, head);
    if (!clock) return undefined;
    const sizes = within(bytes, movie, "trak", "tkhd").map((box) => sizeOfTrack(bytes, box));
    const size = sizes.find((one) => one && one.width > 0 && one.height > 0);
    // A file with sound only is no film.
    if (!size) return undefined;
    const { durationSeconds, createdAtMs } = clock;
    return { ...size, durationSeconds, notes: notesOf(textsOf(bytes, movie), createdAtMs) };
  }
  return undefined;
}

/** Undefined if the film is damaged, or ends before its header is complete. */
export const readFilmHeader = async (
  format: FormatName,
  reader: ByteReader,
): Promise<FilmHeader | undefined> => (format === "webm" ? readWebm(reader) : readMovie(reader));
