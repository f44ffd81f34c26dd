/**
 * Splits a stream into chunks and stores the ones that the vault lacks. Records which part of the stream
 * each chunk holds.
 */
import { Cutter } from "./cutter.ts";
import type { VaultKeys } from "./keys.ts";
import { CHUNK_BYTES_MAX, nameOf, SEALING_BYTES, type SealedChunk, seal } from "./sealing.ts";

/** Write access to the chunks of a vault. */
export type ChunkSink = {
  /** Records a reference to the chunks. Returns the ids of chunks that the vault lacks. */
  hold(ids: readonly string[]): Promise<readonly string[]>;
  /** Puts them there, noting that they are needed. Their bytes are good until it is done. */
  store(chunks: readonly SealedChunk[]): Promise<void>;
};
export type Extent = readonly [chunk: string, offset: number, length: number];

const BATCH_BYTES = 2 * 1024 * 1024;
const BATCHES_UNDER_WAY_MAX = 2;
/** Of each batch: every chunk that is being compressed takes some megabytes. */
const SEALED_AT_ONCE = 2;
const WRITTEN_AT_ONCE = 512 * 1024;
/** Of one batch at the most, since between two chunks there is at most one that is shorter than it could be. */
const CHUNKS_IN_BATCH_MAX = 256;
/** Room for a full batch, one further piece, the cutter's rest, and the overhead of encryption. */
const CRATE_BYTES = BATCH_BYTES + WRITTEN_AT_ONCE + CHUNK_BYTES_MAX + CHUNKS_IN_BATCH_MAX * SEALING_BYTES;

/** Most streams fit into this. A larger crate costs more than all the rest of a small backup. */
const SMALL_CRATE_BYTES = 64 * 1024;
const newCrate = (bytes: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(bytes));

/**
 * A batch of chunks in a shared buffer that is reused. Chunks are encrypted in place, and the main thread stores them
 * from the same buffer. Copies would stay in the memory of both threads until the next garbage collection.
 */
class Batch {
  crate: Uint8Array;
  /** Where each chunk begins and ends. */
  readonly #places = new Map<string, readonly [number, number]>();
  bytes = 0;
  constructor(crate: Uint8Array) {
    this.crate = crate;
  }
  add(id: string, chunk: Uint8Array): void {
    if (this.#places.has(id)) return;
    const end = this.bytes + chunk.length + SEALING_BYTES;
    if (end > this.crate.length) {
      const small = this.crate;
      this.crate = newCrate(CRATE_BYTES);
      this.crate.set(small);
    }
    this.crate.set(chunk, this.bytes);
    this.#places.set(id, [this.bytes, end]);
    this.bytes = end;
  }
  get ids(): string[] {
    return [...this.#places.keys()];
  }
  seal(keys: VaultKeys, id: string): Promise<SealedChunk> {
    const room = this.crate.subarray(...(this.#places.get(id) as readonly [number, number]));
    return seal(keys, id, room.subarray(0, room.length - SEALING_BYTES), { room });
  }
}

type Cut = { readonly id: string; readonly start: number; readonly end: number };

export class Packer {
  readonly #keys: VaultKeys;
  readonly #sink: ChunkSink;
  readonly #cutter: Cutter;
  readonly #cuts: Cut[] = [];
  readonly #crates: Uint8Array[] = [];
  #batch: Batch | undefined;
  readonly #underWay: Promise<void>[] = [];
  #written = 0;
  #cutUntil = 0;

  constructor(keys: VaultKeys, sink: ChunkSink) {
    this.#keys = keys;
    this.#sink = sink;
    this.#cutter = new Cutter(keys.gear, (chunk) => this.#takeCut(chunk));
  }
  /** How much of the stream there is, and how much of it is in chunks. */
  get position(): number {
    return this.#written;
  }
  get settledUntil(): number {
    return this.#cutUntil;
  }
  async write(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += WRITTEN_AT_ONCE) {
      const piece = bytes.subarray(start, start + WRITTEN_AT_ONCE);
      this.#written += piece.length;
      this.#cutter.push(piece);
      if ((this.#batch?.bytes ?? 0) >= BATCH_BYTES) await this.#flush();
    }
  }
  /** Forces a cut here, because new content begins. */
  align(): void {
    this.#cutter.cut();
  }
  /** Adds a chunk outside the stream. It is stored with the next batch. Returns its id. */
  async add(chunk: Uint8Array): Promise<string> {
    if ((this.#batch?.bytes ?? 0) >= BATCH_BYTES) await this.#flush();
    return this.#put(chunk);
  }
  /** All of it is in the vault. */
  async end(): Promise<void> {
    this.#cutter.cut();
    await this.#flush();
    await Promise.all(this.#underWay);
  }
  /**
   * The chunks of a part of the stream that is already cut. Parts before it are forgotten, so calls must
   * ascend.
   */
  extentsOf(start: number, end: number): Extent[] {
    while (this.#cuts[0] && this.#cuts[0].end <= start) this.#cuts.shift();
    const extents: Extent[] = [];
    for (const cut of this.#cuts) {
      if (cut.start >= end) break;
      const from = Math.max(start, cut.start);
      extents.push([cut.id, from - cut.start, Math.min(end, cut.end) - from]);
    }
    return extents;
  }

  #takeCut(chunk: Uint8Array): void {
    const start = this.#cutUntil;
    this.#cutUntil += chunk.length;
    this.#cuts.push({ id: this.#put(chunk), start, end: this.#cutUntil });
  }
  #put(chunk: Uint8Array): string {
    const id = nameOf(this.#keys, chunk);
    this.#batch ??= new Batch(this.#crates.pop() ?? newCrate(SMALL_CRATE_BYTES));
    this.#batch.add(id, chunk);
    return id;
  }
  async #flush(): Promise<void> {
    const batch = this.#batch;
    if (!batch) return;
    this.#batch = undefined;
    while (this.#underWay.length >= BATCHES_UNDER_WAY_MAX) await this.#underWay.shift();
    const put = this.#store(batch).finally(() => this.#crates.push(batch.crate));
    // Prevents an unhandled rejection. The caller that awaits the batch later gets the error.
    put.catch(() => {});
    this.#underWay.push(put);
  }
  async #store(batch: Batch): Promise<void> {
    const missing = await this.#sink.hold(batch.ids);
    if (missing.length === 0) return;
    const sealed: SealedChunk[] = [];
    for (let start = 0; start < missing.length; start += SEALED_AT_ONCE) {
      const some = missing.slice(start, start + SEALED_AT_ONCE);
      sealed.push(...(await Promise.all(some.map((id) => batch.seal(this.#keys, id)))));
    }
    await this.#sink.store(sealed);
  }
}
