/** Estimates how often a podcast publishes, and from that how often to poll its feed. */

const HOUR_MS = 3_600_000;
const GAPS_LOOKED_AT = 10;
const CHECK_MIN_MS = HOUR_MS / 4;
const CHECK_MAX_MS = 7 * 24 * HOUR_MS;
/** For a podcast with too few episodes for an estimate. */
const CHECK_UNKNOWN_MS = 6 * HOUR_MS;
/** Polls between two expected episodes. */
const CHECKS_PER_GAP = 8;

/** Median gap between the latest episodes, so that one long break has no effect. 0 without a gap. */
function medianGapMs(pubDatesMs: readonly number[]): number {
  const dates = [...pubDatesMs].sort((one, other) => other - one).slice(0, GAPS_LOOKED_AT + 1);
  const gaps = dates.slice(1).map((date, at) => (dates[at] ?? date) - date);
  const sorted = gaps.filter((gap) => gap > 0).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export const updateFrequencyHours = (pubDatesMs: readonly number[]): number =>
  Math.round(medianGapMs(pubDatesMs) / HOUR_MS);

type Rhythm = {
  readonly pubDatesMs: readonly number[];
  readonly nowMs: number;
  readonly isComplete: boolean;
  /** Consecutive failures. */
  readonly failures: number;
};
/**
 * Polls at an eighth of the usual gap. The interval grows while a podcast is silent, and doubles with each
 * failure. A completed podcast is polled weekly.
 */
export function nextCheckMs({ pubDatesMs, nowMs, isComplete, failures }: Rhythm): number {
  const gap = medianGapMs(pubDatesMs);
  const latest = pubDatesMs.reduce((one, other) => Math.max(one, other), 0);
  const silence = latest === 0 ? 0 : Math.max(0, nowMs - latest);
  const usual = gap === 0 ? CHECK_UNKNOWN_MS : Math.max(gap, silence / 4) / CHECKS_PER_GAP;
  const wait = isComplete ? CHECK_MAX_MS : usual * 2 ** Math.min(failures, 12);
  return nowMs + Math.round(Math.min(CHECK_MAX_MS, Math.max(CHECK_MIN_MS, wait)));
}

const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** 1970-01-01 was a Thursday. */
const mondayOf = (ms: number): number => Math.floor((ms + 3 * DAY_MS) / WEEK_MS) * WEEK_MS - 3 * DAY_MS;

/** Episodes in each of the last weeks, earliest week first. A week starts on Monday. */
export function countByWeek(
  pubDatesMs: readonly number[],
  nowMs: number,
  weeks: number,
): { readonly mondayMs: number; readonly count: number }[] {
  const last = mondayOf(nowMs);
  const counts = new Map<number, number>();
  for (const date of pubDatesMs) counts.set(mondayOf(date), (counts.get(mondayOf(date)) ?? 0) + 1);
  return Array.from({ length: weeks }, (_, at) => last - (weeks - 1 - at) * WEEK_MS).map((mondayMs) => ({
    mondayMs,
    count: counts.get(mondayMs) ?? 0,
  }));
}
