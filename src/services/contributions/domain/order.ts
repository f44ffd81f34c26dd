/** The place of a contribution: a number that grows with time, so that one column gives order and pages. */

/** Places of one millisecond. More contributions take places of the next millisecond. */
export const PLACES_PER_MILLISECOND = 4096;

export const createdAtMsOf = (place: number): number => Math.floor(place / PLACES_PER_MILLISECOND);
/** The first place of that millisecond. */
export const firstPlaceOf = (ms: number): number => ms * PLACES_PER_MILLISECOND;

/** Places of one node, strictly increasing unless the clock is set back. */
export class Places {
  #last = 0;
  next(nowMs: number): number {
    const first = firstPlaceOf(nowMs);
    const isSameMoment = this.#last >= first && this.#last < first + PLACES_PER_MILLISECOND * 1000;
    this.#last = isSameMoment ? this.#last + 1 : first;
    return this.#last;
  }
}
