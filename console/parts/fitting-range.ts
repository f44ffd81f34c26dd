/** The range of a timeline. A few events far from all others stay outside: they would squeeze these to one point. */

/** Up to a fifth of the events stay outside. */
const OUTSIDE_SHARE_MAX = 0.2;
/** With fewer events, all are shown. */
const EVENTS_MIN = 4;
/** A gap of this many times the range leaves the range a tenth of the width. */
const GAP_MAX = 9;

export type Range = { readonly from: number; readonly until: number };

/** The shortest range with so many of the sorted times, as the indexes of its ends. */
function densest(times: readonly number[], count: number): readonly [first: number, last: number] {
  const spanFrom = (first: number) => (times[first + count - 1] as number) - (times[first] as number);
  let best = 0;
  for (let first = 1; first + count <= times.length; first += 1)
    if (spanFrom(first) < spanFrom(best)) best = first;
  return [best, best + count - 1];
}

/** In milliseconds, like the times. */
export function fittingRange(times: readonly number[]): Range {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] as number;
  const outsideMax = Math.max(1, Math.floor(sorted.length * OUTSIDE_SHARE_MAX));
  const isSmall = sorted.length < EVENTS_MIN;
  let [first, last] = densest(sorted, isSmall ? sorted.length : sorted.length - outsideMax);
  // The neighbours come along, the nearest first.
  while (first > 0 || last < sorted.length - 1) {
    const before = first > 0 ? at(first) - at(first - 1) : Number.POSITIVE_INFINITY;
    const after = last < sorted.length - 1 ? at(last + 1) - at(last) : Number.POSITIVE_INFINITY;
    const span = at(last) - at(first);
    if (span > 0 && Math.min(before, after) > GAP_MAX * span) break;
    if (before <= after) first -= 1;
    else last += 1;
  }
  return { from: at(first), until: at(last) };
}
