/** Counts of jobs by day: which days a period has, and how rows become summaries. */
import { DAY_MS } from "./lifecycle.ts";

export type AggregationPeriod = "ONE_DAY" | "SEVEN_DAYS" | "FOURTEEN_DAYS";
/** How to group a member of a summary: one value, one row for each value (ANY), or one row for all. */
export const ANY = "ANY";
export const AGGREGATE_ALL = "AGGREGATE_ALL";

export type CountedJobs = {
  /** Of their creation: days since 1970. */
  readonly day: number;
  readonly state: string;
  readonly resourceType: string;
  readonly messageCategory: string;
  readonly count: number;
};
export type SummaryQuestion = {
  readonly period: AggregationPeriod;
  readonly state: string;
  readonly resourceType: string;
  readonly messageCategory: string;
};
export type Summary = Omit<CountedJobs, "day"> & { readonly startMs: number; readonly endMs: number };

const DAYS: Readonly<Record<AggregationPeriod, number>> = { ONE_DAY: 14, SEVEN_DAYS: 7, FOURTEEN_DAYS: 14 };
const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Whole days before today, and today as far as it has come. */
export const firstDayOf = (period: AggregationPeriod, nowMs: number): number =>
  dayOf(nowMs) - DAYS[period] + 1;

const fits = (asked: string, value: string): boolean =>
  asked === ANY || asked === AGGREGATE_ALL || asked === value;
const shown = (asked: string, value: string): string => (asked === AGGREGATE_ALL ? AGGREGATE_ALL : value);

/**
 * ONE_DAY gives one row for each day; other periods give one row. Days and kinds without a job have no row.
 */
export function summariesOf(
  jobs: readonly CountedJobs[],
  question: SummaryQuestion,
  nowMs: number,
): readonly Summary[] {
  const first = firstDayOf(question.period, nowMs);
  const sums = new Map<string, Summary>();
  for (const job of jobs) {
    if (
      job.day < first ||
      job.day > dayOf(nowMs) ||
      !fits(question.state, job.state) ||
      !fits(question.resourceType, job.resourceType) ||
      !fits(question.messageCategory, job.messageCategory)
    )
      continue;
    const startDay = question.period === "ONE_DAY" ? job.day : first;
    const endDay = question.period === "ONE_DAY" ? job.day + 1 : dayOf(nowMs) + 1;
    const summary = {
      startMs: startDay * DAY_MS,
      endMs: endDay * DAY_MS,
      state: shown(question.state, job.state),
      resourceType: shown(question.resourceType, job.resourceType),
      messageCategory: shown(question.messageCategory, job.messageCategory),
    };
    const key = JSON.stringify(summary);
    const before = sums.get(key)?.count ?? 0;
    sums.set(key, { ...summary, count: before + job.count });
  }
  return [...sums.values()].sort(inOrder);
}

/** The newest day first; then by their words. */
const inOrder = (a: Summary, b: Summary): number =>
  b.startMs - a.startMs ||
  compare(a.state, b.state) ||
  compare(a.resourceType, b.resourceType) ||
  compare(a.messageCategory, b.messageCategory);
const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
