/** Checks of a job's times that depend on the current time. */
import { addMonths } from "./calendar.ts";
import { findInstant } from "./iso-time.ts";
import { planOf } from "./occurrences.ts";
import type { Problem } from "./problems.ts";
import { START_AHEAD_MONTHS_MAX } from "./recurrence.ts";
import { type RecurrenceText, recurrenceOf } from "./recurrence-text.ts";

export type TimesContext = {
  readonly nowMs: number;
  /** An unchanged recurrence can have ended meanwhile. A new one must not end in the past. */
  readonly keptRecurrence?: RecurrenceText;
};
type Times = { readonly startTime?: string; readonly recurrence?: RecurrenceText };

/** A start time can be in the past, but not too far in the future. */
const startsTooLate = (startMs: number | undefined, nowMs: number): boolean =>
  startMs !== undefined && startMs > addMonths(nowMs, START_AHEAD_MONTHS_MAX);
/** Some valid schedules match no date, such as 30 February every year. */
const neverComesDue = (recurrence: RecurrenceText, startMs: number): boolean =>
  planOf(recurrenceOf(recurrence), startMs).find(startMs - 1) === undefined;

export function timeProblems(
  { startTime, recurrence }: Times,
  { nowMs, keptRecurrence }: TimesContext,
): readonly Problem[] {
  const startMs = startTime === undefined ? undefined : findInstant(startTime);
  const problems: Problem[] = [];
  if (startsTooLate(startMs, nowMs))
    problems.push({ path: "startTime", says: `may lie at most ${START_AHEAD_MONTHS_MAX} months ahead` });
  if (recurrence === undefined) return problems;
  const isKept = JSON.stringify(recurrence) === JSON.stringify(keptRecurrence);
  const { endTimeMs } = recurrenceOf(recurrence);
  if (!isKept && endTimeMs !== undefined && endTimeMs <= nowMs)
    problems.push({ path: "recurrence.endTime", says: "lies in the past" });
  else if (neverComesDue(recurrence, startMs ?? (isKept ? 0 : nowMs)))
    problems.push({
      path: "recurrence.schedule",
      says: "never comes due: no date fits all of its parts",
    });
  return problems;
}
