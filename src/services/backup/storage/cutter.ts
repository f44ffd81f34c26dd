/**
 * Content-defined chunking: equal parts of two streams give equal chunks, whatever their position.
 * A rolling hash covers the last 32 bytes. A chunk ends where the upper bits of the hash are zero, within size limits.
 */
import { CHUNK_BYTES_MAX } from "./sealing.ts";

export const CHUNK_BYTES_MIN = 128 * 1024;
/** 18 bits: one place in 262,144, so that chunks have some 400 KB. */
const CUT_MASK = 0xffffc000 | 0;
/** How far back the sum remembers. */
const WINDOW_BYTES = 32;

export class Cutter {
  readonly #gear: Uint32Array;
  readonly #emit: (chunk: Uint8Array) => void;
  readonly #room = Buffer.allocUnsafe(CHUNK_BYTES_MAX);
  #filled = 0;
  #looked = 0;
  #sum = 0;

  /** A chunk is there only as long as its receiver is called. */
  constructor(gear: Uint32Array, emit: (chunk: Uint8Array) => void) {
    this.#gear = gear;
    this.#emit = emit;
  }
  push(bytes: Uint8Array): void {
    for (let taken = 0; taken < bytes.length; ) {
      const part = bytes.subarray(taken, taken + CHUNK_BYTES_MAX - this.#filled);
      this.#room.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
      this.#look();
    }
  }
  /** What is there becomes a chunk, whatever its size. */
  cut(): void {
    if (this.#filled > 0) this.#take(this.#filled);
  }
  #take(size: number): void {
    this.#emit(this.#room.subarray(0, size));
    this.#room.copyWithin(0, size, this.#filled);
    this.#filled -= size;
    this.#looked = 0;
    this.#sum = 0;
  }
  #look(): void {
    for (;;) {
      const at = this.#findCut();
      if (at === undefined) break;
      this.#take(at);
    }
  }
  #findCut(): number | undefined {
    const gear = this.#gear;
    const room = this.#room;
    const filled = this.#filled;
    let sum = this.#sum;
    let at = Math.max(this.#looked, CHUNK_BYTES_MIN - WINDOW_BYTES);
    for (; at < filled; at += 1) {
      sum = ((sum << 1) + (gear[room[at] as number] as number)) | 0;
      if ((sum & CUT_MASK) === 0 && at >= CHUNK_BYTES_MIN) return at + 1;
    }
    if (filled >= CHUNK_BYTES_MAX) return filled;
    this.#looked = Math.max(at, this.#looked);
    this.#sum = sum;
    return undefined;
  }
}
