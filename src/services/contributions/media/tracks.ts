/** Tracks of MP4 and MOV films: their kind, their number, and where their samples are. */
import { type Box, boxesOf } from "./boxes.ts";
import { type ByteReader, MediaProblem } from "./byte-reader.ts";

const TABLE_BYTES_MAX = 16 * 1024 * 1024;
const CHUNKS_MAX = 200_000;

async function findWithin(
  reader: ByteReader,
  box: Box,
  ...path: readonly string[]
): Promise<Box | undefined> {
  let found: Box | undefined = box;
  for (const type of path) {
    let next: Box | undefined;
    if (found)
      for await (const one of boxesOf(reader, found.content, found.end)) if (one.type === type) next ??= one;
    found = next;
  }
  return found;
}
/** The content of a box; empty if there is none. */
async function contentOf(reader: ByteReader, box: Box | undefined): Promise<Buffer> {
  if (!box) return Buffer.alloc(0);
  if (box.end - box.content > TABLE_BYTES_MAX) throw new MediaProblem("A table of the film is too large.");
  return reader.read(box.content, box.end - box.content);
}
const numberAt = (bytes: Buffer, at: number): number => (at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0);

/** `vide`, `soun` or another kind; undefined if the track does not say it. */
export async function handlerOf(reader: ByteReader, track: Box): Promise<string | undefined> {
  const bytes = await contentOf(reader, await findWithin(reader, track, "mdia", "hdlr"));
  return bytes.length < 12 ? undefined : bytes.toString("latin1", 8, 12);
}
export async function numberOfTrack(reader: ByteReader, track: Box): Promise<number> {
  const bytes = await contentOf(reader, await findWithin(reader, track, "tkhd"));
  return numberAt(bytes, bytes[0] === 1 ? 20 : 12);
}
export const numberOfFragment = async (reader: ByteReader, fragment: Box): Promise<number> =>
  numberAt(await contentOf(reader, await findWithin(reader, fragment, "tfhd")), 4);

/** The size of each sample, by its place. */
function sizesIn(bytes: Buffer): { readonly count: number; sizeOf(place: number): number } {
  const each = numberAt(bytes, 4);
  return {
    count: numberAt(bytes, 8),
    sizeOf: (place) => (each === 0 ? numberAt(bytes, 12 + place * 4) : each),
  };
}
const offsetsIn = (bytes: Buffer, isLong: boolean): number[] => {
  const width = isLong ? 8 : 4;
  const count = Math.min(numberAt(bytes, 4), Math.floor(Math.max(0, bytes.length - 8) / width));
  if (count > CHUNKS_MAX) throw new MediaProblem(`A track of the film has more than ${CHUNKS_MAX} chunks.`);
  return Array.from({ length: count }, (_, place) => {
    const at = 8 + place * width;
    return isLong ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
  });
};
/** How many samples each chunk has: runs of the first chunk's number and that count. */
function* countsIn(bytes: Buffer): Generator<number> {
  const runs = Math.min(numberAt(bytes, 4), Math.floor(Math.max(0, bytes.length - 8) / 12));
  for (let run = 0; run < runs; run += 1) {
    const at = 8 + run * 12;
    const next = run + 1 < runs ? numberAt(bytes, at + 12) : Number.POSITIVE_INFINITY;
    for (let chunk = numberAt(bytes, at); chunk < next; chunk += 1) yield numberAt(bytes, at + 4);
  }
}

/** Where the names of encoders are, of pictures only: cameras write their own name there. */
export async function encoderNamesOf(
  reader: ByteReader,
  track: Box,
): Promise<{ readonly start: number; readonly end: number }[]> {
  const descriptions = await findWithin(reader, track, "mdia", "minf", "stbl", "stsd");
  if (!descriptions) return [];
  const names: { start: number; end: number }[] = [];
  for await (const { content, end } of boxesOf(reader, descriptions.content + 8, descriptions.end))
    names.push({ start: Math.min(content + 42, end), end: Math.min(content + 74, end) });
  return names;
}

/** Where the samples of a track are, a stretch for each chunk. */
export async function samplesOf(
  reader: ByteReader,
  track: Box,
): Promise<{ readonly start: number; readonly end: number }[]> {
  const table = await findWithin(reader, track, "mdia", "minf", "stbl");
  if (!table) return [];
  const read = async (type: string) => contentOf(reader, await findWithin(reader, table, type));
  const { count, sizeOf } = sizesIn(await read("stsz"));
  const offsets = [...offsetsIn(await read("stco"), false), ...offsetsIn(await read("co64"), true)];
  const counts = countsIn(await read("stsc"));
  const stretches: { start: number; end: number }[] = [];
  let sample = 0;
  for (const start of offsets) {
    const last = Math.min(count, sample + (counts.next().value ?? 0));
    let end = start;
    for (; sample < last && end < reader.size; sample += 1) end += sizeOf(sample);
    if (end > start) stretches.push({ start, end: Math.min(end, reader.size) });
  }
  return stretches;
}
