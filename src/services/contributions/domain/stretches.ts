/** Stretches of time that stamps are kept of, by how many places they hold: three days, and an hour and ten minutes. */
import type { Filter } from "./filter.ts";
import { firstPlaceOf } from "./order.ts";

/** Triggers of the database count by the same numbers. */
export const STRETCHES = { long: 2 ** 40, short: 2 ** 34 };
export type StretchKind = keyof typeof STRETCHES;
export const SHORT_PER_LONG = STRETCHES.long / STRETCHES.short;

/** Whether the filter's time leaves anything of it. */
export const mayHold = (longStretch: number, { createdFromMs, createdBeforeMs }: Filter): boolean =>
  (createdFromMs === undefined || (longStretch + 1) * STRETCHES.long > firstPlaceOf(createdFromMs)) &&
  (createdBeforeMs === undefined || longStretch * STRETCHES.long < firstPlaceOf(createdBeforeMs));
