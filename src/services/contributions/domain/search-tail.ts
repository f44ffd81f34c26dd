/**
 * The newest contributions (the tail) are not in SQLite's full-text index yet: a batch takes a fraction of the
 * time of single inserts. Until then a search scans them.
 */
import { firstPlaceOf } from "./order.ts";

const LENGTH_MAX = 64;
/** How long the tail waits for more rows. It is short, so that hardly any other row can get a place in its range. */
const WINDOW_MS = 60_000;
/** A row with a place after this window, such as a copy from another time, is indexed at once. */
export const tailEndOf = (nowMs: number): number => firstPlaceOf(nowMs + WINDOW_MS);

/**
 * Decides when the tail must be indexed: at the first contribution after a start, if it is long, or if its time
 * is over.
 */
export class SearchTail {
  #length = LENGTH_MAX;
  #endsAtMs = 0;
  isToMove(nowMs: number): boolean {
    this.#length += 1;
    return this.#length > LENGTH_MAX || nowMs >= this.#endsAtMs;
  }
  /** `isLeft`: the batch was full, so the next contribution continues. */
  noteMoved(nowMs: number, isLeft: boolean): void {
    this.#length = isLeft ? LENGTH_MAX : 1;
    this.#endsAtMs = nowMs + WINDOW_MS;
  }
}
