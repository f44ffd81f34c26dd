/** The range of a timeline. A few events far from all others stay outside: they would squeeze these to one point. */

/** Up to a fifth of the events stay outside. */
const OUTSIDE_SHARE_MAX = 0.2;
/** With fewer events, all are shown. */
const EVENTS_MIN = 4;
/** Most events keep a tenth of the width. */
const RANGE_MAX = 10;
/** What is this close to most events is always shown. */
const CLOSE_MS = 86_400_000;

export type Range = { readonly from: number; readonly until: number };

/** The shortest range with so many of the sorted times. */
function densest(times: readonly number[], count: number): Range {
  const rangeFrom = (first: number) => ({
    from: times[first] as number,
    until: times[first + count - 1] as number,
  });
  let best = rangeFrom(0);
  for (let first = 1; first + count <= times.length; first += 1) {
    const { from, until } = rangeFrom(first);
    if (until - from < best.until - best.from) best = { from, until };
  }
  return best;
}

/** In milliseconds, like the times. */
export function fittingRange(times: readonly number[]): Range {
  const sorted = [...times].sort((a, b) => a - b);
  const outsideMax = Math.max(1, Math.floor(sorted.length * OUTSIDE_SHARE_MAX));
  const isSmall = sorted.length < EVENTS_MIN;
  const most = densest(sorted, isSmall ? sorted.length : sorted.length - outsideMax);
  const spanMax = Math.max(CLOSE_MS, RANGE_MAX * (most.until - most.from));
  // The others come along while the range stays short enough, the nearest first.
  const distanceTo = (ms: number) => Math.max(most.from - ms, ms - most.until);
  return sorted
    .toSorted((a, b) => distanceTo(a) - distanceTo(b))
    .reduce((range, ms) => {
      const [from, until] = [Math.min(range.from, ms), Math.max(range.until, ms)];
      return until - from > spanMax ? range : { from, until };
    }, most);
}
