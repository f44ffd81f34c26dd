/** The time ranges of stamps, by how many places they hold: three days, and 70 minutes. */
import type { Filter } from "./filter.ts";
import { firstPlaceOf } from "./order.ts";

/** The triggers of the database use the same numbers. */
export const STRETCHES = { long: 2 ** 40, short: 2 ** 34 };
export type StretchKind = keyof typeof STRETCHES;
export const SHORT_PER_LONG = STRETCHES.long / STRETCHES.short;

/** Whether the time of the filter overlaps it. */
export const mayHold = (longStretch: number, { createdFromMs, createdBeforeMs }: Filter): boolean =>
  (createdFromMs === undefined || (longStretch + 1) * STRETCHES.long > firstPlaceOf(createdFromMs)) &&
  (createdBeforeMs === undefined || longStretch * STRETCHES.long < firstPlaceOf(createdBeforeMs));
