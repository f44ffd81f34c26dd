/** WebM: elements of an id, a length and content. Of its header, only elements before the first frames are read. */
import type { ByteReader } from "./byte-reader.ts";

export const ID = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  cluster: 0x1f43b675,
  cues: 0x1c53bb6b,
  chapters: 0x1043a770,
  attachments: 0x1941a469,
  tags: 0x1254c367,
  void: 0xec,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  dateUtc: 0x4461,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  track: 0xae,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
} as const;
const HEADER_BYTES = 12;
const ELEMENTS_MAX = 100_000;
const INSIDE_BYTES_MAX = 1024 * 1024;
/** Dates count nanoseconds from the beginning of 2001. */
const EPOCH_2001_MS = 978_307_200_000;
const NANOSECONDS = 1e9;
const SCALE_DEFAULT = 1e6;

export type Element = {
  readonly id: number;
  readonly start: number;
  readonly content: number;
  /** Of an element of unknown length, the end of what it is in. */
  readonly end: number;
  readonly isEndless: boolean;
};

/** A variable-length integer: its first bits give its length. `keepMark`: these bits are part of an id. */
function variable(
  bytes: Buffer,
  at: number,
  keepMark: boolean,
): { value: number; length: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return undefined;
  let value = keepMark ? first : first & (0xff >> length);
  let isUnknown = !keepMark && value === 0xff >> length;
  for (let i = 1; i < length; i += 1) {
    const next = bytes[at + i] as number;
    isUnknown &&= next === 0xff;
    value = value * 256 + next;
  }
  return { value: isUnknown ? Number.POSITIVE_INFINITY : value, length };
}
function elementIn(header: Buffer, start: number, end: number): Element | undefined {
  const id = variable(header, 0, true);
  const size = id && variable(header, id.length, false);
  if (!id || !size) return undefined;
  const content = start + id.length + size.length;
  const isEndless = size.value === Number.POSITIVE_INFINITY;
  return { id: id.value, start, content, end: Math.min(content + size.value, end), isEndless };
}
export const elementAt = async (reader: ByteReader, at: number, to: number): Promise<Element | undefined> =>
  elementIn(await reader.read(at, Math.min(HEADER_BYTES, to - at)), at, to);
/** One after the other. */
export async function* elementsOf(reader: ByteReader, from: number, to: number): AsyncGenerator<Element> {
  for (let at = from, count = 0; at < to && count < ELEMENTS_MAX; count += 1) {
    const element = await elementAt(reader, at, to);
    if (!element) return;
    yield element;
    at = element.end;
  }
}
function elementsIn(bytes: Buffer, from = 0, to = bytes.length): Element[] {
  const found: Element[] = [];
  for (let at = from; at < to && found.length < 1000; ) {
    const element = elementIn(bytes.subarray(at, at + HEADER_BYTES), at, to);
    if (!element) break;
    found.push(element);
    at = element.end;
  }
  return found;
}
function unsignedOf(bytes: Buffer, { content, end }: Element): number {
  return end - content > 6 || end <= content ? 0 : bytes.readUIntBE(content, end - content);
}
function floatOf(bytes: Buffer, { content, end }: Element): number {
  if (end - content === 8) return bytes.readDoubleBE(content);
  return end - content === 4 ? bytes.readFloatBE(content) : 0;
}

function infoOf(bytes: Buffer): { durationSeconds: number; takenAtMs?: number } {
  const members = elementsIn(bytes);
  const find = (id: number): Element | undefined => members.find((one) => one.id === id);
  const scale = find(ID.timestampScale);
  const duration = find(ID.duration);
  const date = find(ID.dateUtc);
  const ticks = duration ? floatOf(bytes, duration) : 0;
  const seconds = (ticks * (scale ? unsignedOf(bytes, scale) : SCALE_DEFAULT)) / NANOSECONDS;
  return {
    durationSeconds: Number.isFinite(seconds) && seconds > 0 && seconds < 1e9 ? seconds : 0,
    ...(date &&
      date.end - date.content === 8 && {
        takenAtMs: EPOCH_2001_MS + Number(bytes.readBigInt64BE(date.content) / 1_000_000n),
      }),
  };
}
function sizeOf(bytes: Buffer): { width: number; height: number } | undefined {
  for (const track of elementsIn(bytes).filter(({ id }) => id === ID.track))
    for (const video of elementsIn(bytes, track.content, track.end).filter(({ id }) => id === ID.video)) {
      const members = elementsIn(bytes, video.content, video.end);
      const of = (wanted: number): number => {
        const found = members.find(({ id }) => id === wanted);
        return found ? unsignedOf(bytes, found) : 0;
      };
      return { width: of(ID.width), height: of(ID.height) };
    }
  return undefined;
}

async function* segmentElementsOf(reader: ByteReader): AsyncGenerator<Element> {
  for await (const { id, content, end } of elementsOf(reader, 0, reader.size))
    if (id === ID.segment) yield* elementsOf(reader, content, end);
}

export async function readWebm(reader: ByteReader) {
  let info: ReturnType<typeof infoOf> | undefined;
  let size: ReturnType<typeof sizeOf>;
  for await (const { id, content, end } of segmentElementsOf(reader)) {
    if (id === ID.cluster || (info && size)) break;
    if (id !== ID.info && id !== ID.tracks) continue;
    const bytes = await reader.read(content, Math.min(end - content, INSIDE_BYTES_MAX));
    if (id === ID.info) info = infoOf(bytes);
    else size = sizeOf(bytes);
  }
  if (!size) return undefined;
  const { durationSeconds = 0, takenAtMs } = info ?? {};
  return { ...size, durationSeconds, notes: takenAtMs === undefined ? {} : { takenAtMs } };
}
