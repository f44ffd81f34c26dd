/** Finds private metadata in a film. The public copy has these bytes overwritten; all other bytes keep their offset. */
import { type Box, boxesOf } from "./boxes.ts";
import { type ByteReader, MediaProblem } from "./byte-reader.ts";
import type { FormatName } from "./format.ts";
import { isTags, segmentElementsOf } from "./webm.ts";

/** Replacement bytes; zeros follow up to `end`. */
export type Blank = { readonly start: number; readonly beginning: Buffer; readonly end: number };

const CONTAINERS = new Set(["moov", "trak", "mdia", "minf", "stbl", "edts", "mvex", "moof", "traf"]);
/** Boxes that users and cameras add, and free space, which may still contain older data. */
const PRIVATE_BOXES = new Set(["udta", "meta", "uuid", "XMP_", "free", "skip", "wide"]);

/** Enough for the fragments of a day. */
const BOXES_MAX = 200_000;
const DEPTH_MAX = 16;

const blankBox = ({ start, content, end }: Box): Blank => ({
  start: start + 4,
  beginning: Buffer.concat([Buffer.from("free"), Buffer.alloc(content - start - 8)]),
  end,
});

/** Walks through all boxes of a film. Bytes that are in no box are blanked too: nobody knows what they are. */
class FilmWalk {
  readonly blanks: Blank[] = [];
  readonly #reader: ByteReader;
  #left = BOXES_MAX;
  constructor(reader: ByteReader) {
    this.#reader = reader;
  }
  async enter(from: number, to: number, depth: number): Promise<void> {
    if (depth > DEPTH_MAX) throw new MediaProblem("The boxes of the film are nested too deeply.");
    let at = from;
    for await (const box of boxesOf(this.#reader, from, to, Number.POSITIVE_INFINITY)) {
      this.#left -= 1;
      if (this.#left < 0) throw new MediaProblem(`The film has more than ${BOXES_MAX} boxes.`);
      if (PRIVATE_BOXES.has(box.type)) this.blanks.push(await keepingLength(this.#reader, box));
      else if (CONTAINERS.has(box.type)) await this.enter(box.content, box.end, depth + 1);
      at = box.end;
    }
    if (at < to) this.blanks.push({ start: at, beginning: Buffer.alloc(0), end: to });
  }
}
async function blankBoxes(reader: ByteReader): Promise<Blank[]> {
  const walk = new FilmWalk(reader);
  await walk.enter(0, reader.size, 0);
  return walk.blanks;
}
/** A 64-bit length is between the type and the content. */
async function keepingLength(reader: ByteReader, box: Box): Promise<Blank> {
  const blank = blankBox(box);
  if (box.content - box.start === 16) (await reader.read(box.start + 8, 8)).copy(blank.beginning, 4);
  return blank;
}

const VOID_ID = 0xec;
/** A void element of the same length: its id, and a length of eight bytes. */
async function blankTags(reader: ByteReader): Promise<Blank[]> {
  const blanks: Blank[] = [];
  for await (const element of segmentElementsOf(reader)) {
    if (!isTags(element) || element.end - element.start < 9) continue;
    const beginning = Buffer.alloc(9);
    beginning[0] = VOID_ID;
    beginning.writeBigUInt64BE(0x0100000000000000n | BigInt(element.end - element.start - 9), 1);
    blanks.push({ start: element.start, beginning, end: element.end });
  }
  return blanks;
}

export const privatePartsOf = (format: FormatName, reader: ByteReader): Promise<Blank[]> =>
  format === "webm" ? blankTags(reader) : blankBoxes(reader);

/** Streams the film with its private parts overwritten. They are in the order of the film. */
export async function* withoutPrivateParts(
  chunks: AsyncIterable<Uint8Array>,
  blanks: readonly Blank[],
): AsyncGenerator<Buffer> {
  let position = 0;
  let passed = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    while (passed < blanks.length && (blanks[passed] as Blank).end <= position) passed += 1;
    for (let index = passed; index < blanks.length; index += 1) {
      const { start, beginning, end } = blanks[index] as Blank;
      if (start >= position + bytes.length) break;
      const first = Math.max(start, position);
      const last = Math.min(end, position + bytes.length);
      if (first >= last) continue;
      bytes.fill(0, first - position, last - position);
      if (first < start + beginning.length)
        beginning.copy(bytes, first - position, first - start, last - start);
    }
    position += bytes.length;
    yield bytes;
  }
}
