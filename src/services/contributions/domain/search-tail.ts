/**
 * The newest contributions are not in SQLite's full-text index yet: many at once go into it in a fraction of the time that they take one by
 * one. Until then they are looked through as they are.
 */
import { firstPlaceOf } from "./order.ts";

const LENGTH_MAX = 64;
const DAY_MS = 86_400_000;
/** What comes in later, as a copy of other times does, goes into the index by itself. */
export const tailEndOf = (nowMs: number): number => firstPlaceOf(nowMs + DAY_MS);

/** Tells at the first contribution after a start, and at each that finds the tail long, to begin a new one. */
export class SearchTail {
  #length = LENGTH_MAX;
  isToMove(): boolean {
    const isLong = this.#length >= LENGTH_MAX;
    this.#length = isLong ? 1 : this.#length + 1;
    return isLong;
  }
}
