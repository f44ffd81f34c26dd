/** Private parts of MP4 and MOV films: all but what players need of pictures and sound. */
import type { Blank } from "./blanks.ts";
import { type Box, boxesOf } from "./boxes.ts";
import { type ByteReader, MediaProblem } from "./byte-reader.ts";
import { encoderNamesOf, handlerOf, numberOfFragment, numberOfTrack, samplesOf } from "./tracks.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
/** What each container may hold. Cameras and editors write their notes into many other boxes, also into free space. */
const CONTENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  "": words("ftyp styp pdin moov moof mdat sidx ssix mfra"),
  moov: words("mvhd iods trak mvex"),
  trak: words("tkhd tref trgr tapt edts mdia"),
  edts: words("elst"),
  mdia: words("mdhd hdlr elng minf"),
  minf: words("vmhd smhd hmhd nmhd sthd gmhd hdlr dinf stbl"),
  gmhd: words("gmin text tmcd"),
  dinf: words("dref"),
  stbl: words(
    "stsd stts ctts cslg stsc stsz stz2 stco co64 stss stps stsh stdp padb subs sbgp sgpd saiz saio sdtp",
  ),
  mvex: words("mehd trex leva"),
  moof: words("mfhd traf"),
  traf: words("tfhd tfdt trun subs sbgp sgpd saiz saio sdtp"),
  mfra: words("tfra mfro"),
};
/** Other tracks are notes of cameras: positions by the second, for example. */
const PUBLIC_TRACKS = words("vide soun");

/** These begin with the time of the recording. */
const DATED = words("mvhd tkhd mdhd");
const NOTHING = Buffer.alloc(0);

/** Enough for the fragments of a day. */
const BOXES_MAX = 200_000;

const blankBox = ({ start, content, end }: Box): Blank => ({
  start: start + 4,
  beginning: Buffer.concat([Buffer.from("free"), Buffer.alloc(content - start - 8)]),
  end,
});
/** A 64-bit length is between the type and the content. */
async function keepingLength(reader: ByteReader, box: Box): Promise<Blank> {
  const blank = blankBox(box);
  if (box.content - box.start === 16) (await reader.read(box.start + 8, 8)).copy(blank.beginning, 4);
  return blank;
}

/** What cameras note in boxes that stay: the time of the recording, and their name as that of a handler. */
async function notesIn(reader: ByteReader, { type, content, end }: Box): Promise<Blank[]> {
  const blank = (from: number, to: number): Blank[] =>
    from < end ? [{ start: from, beginning: NOTHING, end: Math.min(to, end) }] : [];
  if (type === "hdlr") return blank(content + 12, end);
  if (!DATED.has(type) || content >= end) return [];
  const isLong = (await reader.read(content, 1))[0] === 1;
  return blank(content + 4, content + (isLong ? 20 : 12));
}

/** Walks through all boxes of a film. Bytes that are in no box are blanked too: nobody knows what they are. */
class FilmWalk {
  readonly blanks: Blank[] = [];
  readonly #reader: ByteReader;
  /** Numbers of tracks that were left out. */
  readonly #leftOut = new Set<number>();
  #left = BOXES_MAX;
  constructor(reader: ByteReader) {
    this.#reader = reader;
  }
  async enter(type: string, from: number, to: number): Promise<void> {
    const allowed = CONTENTS[type] as ReadonlySet<string>;
    let at = from;
    for await (const box of boxesOf(this.#reader, from, to, Number.POSITIVE_INFINITY)) {
      this.#left -= 1;
      if (this.#left < 0) throw new MediaProblem(`The film has more than ${BOXES_MAX} boxes.`);
      if (!allowed.has(box.type) || (await this.#isPrivateTrack(box)))
        this.blanks.push(await keepingLength(this.#reader, box));
      else if (CONTENTS[box.type]) await this.enter(box.type, box.content, box.end);
      else this.blanks.push(...(await notesIn(this.#reader, box)));
      at = box.end;
    }
    if (at < to) this.blanks.push({ start: at, beginning: NOTHING, end: to });
  }
  async #isPrivateTrack(box: Box): Promise<boolean> {
    if (box.type === "traf" && this.#leftOut.has(await numberOfFragment(this.#reader, box)))
      throw new MediaProblem("A film in fragments may have tracks of pictures and sound only.");
    if (box.type !== "trak") return false;
    const handler = await handlerOf(this.#reader, box);
    const isPublic = handler === undefined || PUBLIC_TRACKS.has(handler);
    if (!isPublic) this.#leftOut.add(await numberOfTrack(this.#reader, box));
    const notes = isPublic ? encoderNamesOf : samplesOf;
    if (handler !== "soun")
      for (const { start, end } of await notes(this.#reader, box))
        this.blanks.push({ start, beginning: NOTHING, end });
    return !isPublic;
  }
}

/** In the order of the film. Blanks that overlap become one. */
function inOrder(blanks: readonly Blank[]): Blank[] {
  const sorted: Blank[] = [];
  for (const blank of [...blanks].sort((one, other) => one.start - other.start)) {
    const before = sorted.at(-1);
    if (before && blank.start < before.end)
      sorted[sorted.length - 1] = { ...before, end: Math.max(before.end, blank.end) };
    else sorted.push(blank);
  }
  return sorted;
}
export async function privateBoxesOf(reader: ByteReader): Promise<Blank[]> {
  const walk = new FilmWalk(reader);
  await walk.enter("", 0, reader.size);
  return inOrder(walk.blanks);
}
