/**
 * The newest contributions are not in SQLite's full-text index yet: many at once go into it in a fraction of the time that they take one by
 * one. Until then they are looked through as they are.
 */
import { firstPlaceOf } from "./order.ts";

const LENGTH_MAX = 64;
/** So long, what comes in waits for more. It is short, so that hardly anything but what is sent now can come into its places. */
const WINDOW_MS = 60_000;
/** What comes in later, as a copy of other times does, goes into the index by itself. */
export const tailEndOf = (nowMs: number): number => firstPlaceOf(nowMs + WINDOW_MS);

/** Tells when the tail has to go into the index: at the first contribution after a start, where it is long, and where its time is over. */
export class SearchTail {
  #length = LENGTH_MAX;
  #endsAtMs = 0;
  isToMove(nowMs: number): boolean {
    this.#length += 1;
    return this.#length > LENGTH_MAX || nowMs >= this.#endsAtMs;
  }
  /** `isLeft`: there was more than goes into the index at once, so that the next contribution goes on with it. */
  noteMoved(nowMs: number, isLeft: boolean): void {
    this.#length = isLeft ? LENGTH_MAX : 1;
    this.#endsAtMs = nowMs + WINDOW_MS;
  }
}
