/** Private parts of WebM films: all but what players need of pictures and sound. */
import type { Blank } from "./blanks.ts";
import { type ByteReader, MediaProblem } from "./byte-reader.ts";
import { type Element, elementAt, ID } from "./webm.ts";

/** What stays of each container. Dates, titles, names of files, tags, attachments and unused space do not. */
const CONTENTS: ReadonlyMap<number, ReadonlySet<number>> = new Map([
  [0, new Set<number>([ID.header, ID.segment])],
  [ID.segment, new Set<number>([ID.seekHead, ID.info, ID.tracks, ID.cluster, ID.cues])],
  [ID.info, new Set<number>([ID.timestampScale, ID.duration, ID.muxingApp, ID.writingApp])],
]);
/** The elements of a segment. Any of them ends a cluster of unknown length. */
const OF_SEGMENT = new Set<number>([
  ...(CONTENTS.get(ID.segment) ?? []),
  ...[ID.segment, ID.tags, ID.attachments, ID.chapters],
]);
/** Enough for the frames of some hours of a live recording. */
const ELEMENTS_MAX = 1_000_000;

/** A void element of the same length; a single byte becomes zero. */
function blankOf(start: number, end: number): Blank {
  const length = end - start;
  if (length < 2) return { start, beginning: Buffer.alloc(0), end };
  const isShort = length - 2 < 0x7f;
  const beginning = Buffer.alloc(isShort ? 2 : 9);
  beginning[0] = ID.void;
  if (isShort) beginning[1] = 0x80 | (length - 2);
  else beginning.writeBigUInt64BE(0x0100000000000000n | BigInt(length - 9), 1);
  return { start, beginning, end };
}

class WebmWalk {
  readonly blanks: Blank[] = [];
  readonly #reader: ByteReader;
  #left = ELEMENTS_MAX;
  constructor(reader: ByteReader) {
    this.#reader = reader;
  }
  async #next(at: number, to: number): Promise<Element | undefined> {
    this.#left -= 1;
    if (this.#left < 0) throw new MediaProblem(`The film has more than ${ELEMENTS_MAX} elements.`);
    return elementAt(this.#reader, at, to);
  }
  async enter(id: number, from: number, to: number): Promise<void> {
    const allowed = CONTENTS.get(id) as ReadonlySet<number>;
    let at = from;
    while (at < to) {
      const element = await this.#next(at, to);
      if (!element) break;
      const { start, content } = element;
      const end =
        element.isEndless && element.id === ID.cluster ? await this.#endOf(content, to) : element.end;
      if (!allowed.has(element.id)) this.blanks.push(blankOf(start, end));
      else if (CONTENTS.has(element.id)) await this.enter(element.id, content, end);
      at = end;
    }
    // Nobody knows what this is.
    if (at < to) this.blanks.push(blankOf(at, to));
  }
  /** A cluster of unknown length lasts until the next element of the segment. */
  async #endOf(from: number, to: number): Promise<number> {
    let at = from;
    while (at < to) {
      const element = await this.#next(at, to);
      if (!element || OF_SEGMENT.has(element.id)) break;
      at = element.end;
    }
    return at;
  }
}

export async function privateElementsOf(reader: ByteReader): Promise<Blank[]> {
  const walk = new WebmWalk(reader);
  await walk.enter(0, 0, reader.size);
  return walk.blanks;
}
