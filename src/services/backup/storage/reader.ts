/**
 * Reads the content of entries from chunks. Some chunks are prefetched, and a chunk shared by neighbours is
 * decrypted once.
 */
import { letGo } from "./conversation.ts";
import type { VaultKeys } from "./keys.ts";
import type { ChunkSource } from "./manifest.ts";
import type { Extent } from "./packer.ts";
import { open } from "./sealing.ts";

const FETCHED_AT_ONCE = 4;
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

export class Reader {
  readonly #keys: VaultKeys;
  readonly #source: ChunkSource;
  readonly #kept = new Map<string, Buffer>();
  #keptBytes = 0;

  constructor(keys: VaultKeys, source: ChunkSource) {
    this.#keys = keys;
    this.#source = source;
  }
  /** The buffer is valid until the next one is requested. */
  async *read(extents: readonly Extent[]): AsyncGenerator<Buffer> {
    for (let at = 0; at < extents.length; at += 1) {
      const [id, offset, length] = extents[at] as Extent;
      if (!this.#kept.has(id))
        await this.fetch(extents.slice(at, at + FETCHED_AT_ONCE).map(([next]) => next));
      const chunk = this.#kept.get(id) as Buffer;
      yield chunk.subarray(offset, offset + length);
    }
  }
  /** So that many small pieces cost one trip. */
  async fetch(ids: readonly string[]): Promise<void> {
    const wanted = [...new Set(ids)].filter((id) => !this.#kept.has(id)).slice(0, FETCHED_AT_ONCE);
    if (wanted.length === 0) return;
    const found = await this.#source.fetch(wanted);
    const chunks = await Promise.all(wanted.map((id, at) => open(this.#keys, id, found[at])));
    letGo(found);
    this.#makeRoom(chunks.reduce((sum, { length }) => sum + length, 0));
    for (const [at, id] of wanted.entries()) {
      const chunk = chunks[at] as Buffer;
      this.#kept.set(id, chunk);
      this.#keptBytes += chunk.length;
    }
  }
  /** The oldest go first. */
  #makeRoom(bytes: number): void {
    for (const [id, chunk] of this.#kept) {
      if (this.#keptBytes + bytes <= KEPT_BYTES_MAX) return;
      this.#kept.delete(id);
      letGo([chunk]);
      this.#keptBytes -= chunk.length;
    }
  }
}
