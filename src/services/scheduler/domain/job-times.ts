/** What only the present can say of a job's times. */
import { addMonths } from "./calendar.ts";
import { findInstant } from "./iso-time.ts";
import { planOf } from "./occurrences.ts";
import type { Problem } from "./problems.ts";
import { START_AHEAD_MONTHS_MAX } from "./recurrence.ts";
import { type RecurrenceText, recurrenceOf } from "./recurrence-text.ts";

export type TimesContext = {
  readonly nowMs: number;
  /** A recurrence that is kept as it was may have ended meanwhile; a new one may not end in the past. */
  readonly keptRecurrence?: RecurrenceText;
};
type Times = { readonly startTime?: string; readonly recurrence?: RecurrenceText };

/** A start time may lie in the past but not too far ahead. */
const startsTooLate = (startMs: number | undefined, nowMs: number): boolean =>
  startMs !== undefined && startMs > addMonths(nowMs, START_AHEAD_MONTHS_MAX);
/** Some schedules are well formed and yet fit no date at all, such as 30 February every year. */
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
