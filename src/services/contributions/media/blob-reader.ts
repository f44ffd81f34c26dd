/** Random access to stored bytes, with a cache of the most recent chunks. */
import { CHUNK_BYTES } from "#kernel/blobs";
import type { Context } from "#kernel/operation";
import type { ByteReader } from "./byte-reader.ts";

const CHUNKS_KEPT = 3;

export function blobReader(blobs: Context["blobs"], id: string, size: number): ByteReader {
  const kept = new Map<number, Buffer>();
  const chunkAt = async (position: number): Promise<Buffer> => {
    const known = kept.get(position);
    if (known) return known;
    const start = position * CHUNK_BYTES;
    let chunk: Buffer = Buffer.alloc(0);
    for await (const bytes of blobs.chunks(id, { start, end: start + CHUNK_BYTES }))
      chunk = Buffer.from(bytes);
    const [oldest] = kept.keys();
    if (kept.size >= CHUNKS_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(position, chunk);
    return chunk;
  };
  return {
    size,
    async read(start, length) {
      const end = Math.min(size, start + Math.max(0, length));
      const parts: Buffer[] = [];
      for (let at = Math.max(0, start); at < end; ) {
        const position = Math.floor(at / CHUNK_BYTES);
        const first = position * CHUNK_BYTES;
        const part = (await chunkAt(position)).subarray(at - first, end - first);
        if (part.length === 0) break;
        parts.push(part);
        at += part.length;
      }
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    },
  };
}
