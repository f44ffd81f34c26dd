/** The boxes of films and HEIC pictures: a length, a four-letter type, and the content. */
import type { ByteReader } from "./byte-reader.ts";

export type Box = {
  readonly type: string;
  readonly start: number;
  readonly content: number;
  readonly end: number;
};

const HEADER_BYTES = 16;
const BOXES_MAX = 2000;

function boxAt(header: Buffer, start: number, end: number): Box | undefined {
  if (header.length < 8) return undefined;
  const short = header.readUInt32BE(0);
  const type = header.toString("latin1", 4, 8);
  if (short === 1 && header.length < 16) return undefined;
  const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - start : short;
  const content = start + (short === 1 ? 16 : 8);
  if (size < content - start) return undefined;
  return { type, start, content, end: Math.min(start + size, end) };
}

/** One after the other, until one is invalid. */
export async function* boxesOf(
  reader: ByteReader,
  from = 0,
  to = reader.size,
  max = BOXES_MAX,
): AsyncGenerator<Box> {
  for (let at = from, count = 0; at < to && count < max; count += 1) {
    const box = boxAt(await reader.read(at, Math.min(HEADER_BYTES, to - at)), at, to);
    if (!box) return;
    yield box;
    at = box.end;
  }
}

/** The same for bytes in memory. */
export function boxesIn(bytes: Buffer, from = 0, to = bytes.length): Box[] {
  const found: Box[] = [];
  for (let at = from; at < to && found.length < BOXES_MAX; ) {
    const box = boxAt(bytes.subarray(at, Math.min(at + HEADER_BYTES, to)), at, to);
    if (!box) break;
    found.push(box);
    at = box.end;
  }
  return found;
}
