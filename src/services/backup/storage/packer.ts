/** Makes chunks of a stream and puts into the vault those that it lacks; tells of each which stretch of the stream it holds. */
import { Cutter } from "./cutter.ts";
import type { VaultKeys } from "./keys.ts";
import { nameOf, type SealedChunk, seal } from "./sealing.ts";

/** A vault as those see it who put chunks there. */
export type Shelf = {
  /** Notes that the chunks are needed; answers those that are not there. */
  hold(ids: readonly string[]): Promise<readonly string[]>;
  /** Puts them there, noting that they are needed. */
  store(chunks: readonly SealedChunk[]): Promise<void>;
};
export type Extent = readonly [chunk: string, offset: number, length: number];

const BATCH_BYTES = 4 * 1024 * 1024;
const BATCHES_UNDER_WAY_MAX = 2;

type Cut = { readonly id: string; readonly start: number; readonly end: number };

export class Packer {
  readonly #keys: VaultKeys;
  readonly #shelf: Shelf;
  readonly #cutter: Cutter;
  readonly #cuts: Cut[] = [];
  #batch = new Map<string, Buffer>();
  #batchBytes = 0;
  readonly #underWay: Promise<void>[] = [];
  #written = 0;
  #cutUntil = 0;

  constructor(keys: VaultKeys, shelf: Shelf) {
    this.#keys = keys;
    this.#shelf = shelf;
    this.#cutter = new Cutter(keys.gear, (chunk) => this.#add(chunk));
  }
  /** How much of the stream there is, and how much of it is in chunks. */
  get position(): number {
    return this.#written;
  }
  get settledUntil(): number {
    return this.#cutUntil;
  }
  async write(bytes: Uint8Array): Promise<void> {
    this.#written += bytes.length;
    this.#cutter.push(bytes);
    if (this.#batchBytes >= BATCH_BYTES) await this.#flush();
  }
  /** Here begins something that is better cut by itself. */
  align(): void {
    this.#cutter.cut();
  }
  /** All of it is in the vault. */
  async end(): Promise<void> {
    this.#cutter.cut();
    await this.#flush();
    await Promise.all(this.#underWay);
  }
  /** Where a settled stretch lies. Those before it are asked for no more. */
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

  #add(chunk: Buffer): void {
    const id = nameOf(this.#keys, chunk);
    this.#cuts.push({ id, start: this.#cutUntil, end: this.#cutUntil + chunk.length });
    this.#cutUntil += chunk.length;
    if (this.#batch.has(id)) return;
    this.#batch.set(id, chunk);
    this.#batchBytes += chunk.length;
  }
  async #flush(): Promise<void> {
    if (this.#batch.size === 0) return;
    const batch = this.#batch;
    this.#batch = new Map();
    this.#batchBytes = 0;
    while (this.#underWay.length >= BATCHES_UNDER_WAY_MAX) await this.#underWay.shift();
    const put = this.#put(batch);
    // Whoever waits for it hears of a failure; until then it is nobody's surprise.
    put.catch(() => {});
    this.#underWay.push(put);
  }
  async #put(batch: ReadonlyMap<string, Buffer>): Promise<void> {
    const missing = await this.#shelf.hold([...batch.keys()]);
    if (missing.length === 0) return;
    const chunks = await Promise.all(missing.map((id) => seal(this.#keys, id, batch.get(id) as Buffer)));
    await this.#shelf.store(chunks);
  }
}
