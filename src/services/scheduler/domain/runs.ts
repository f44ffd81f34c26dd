/** When a job runs first, next, and again after it could not run for a while. */
import { nextOccurrence } from "./occurrences.ts";
import type { Recurrence } from "./recurrence.ts";

export type JobTiming = {
  /** When the job was defined; stands in for a start time that was left out. */
  readonly definedAtMs: number;
  readonly startTimeMs?: number;
  /** Left out, the job runs once. */
  readonly recurrence?: Recurrence;
};

/** A job without start time runs at once; one whose start has passed runs at its next occurrence from now on. */
export function firstRunMs({ definedAtMs, startTimeMs, recurrence }: JobTiming): number | undefined {
  if (startTimeMs === undefined) return definedAtMs;
  const earliestMs = Math.max(startTimeMs, definedAtMs);
  return recurrence === undefined ? earliestMs : nextOccurrence(recurrence, startTimeMs, earliestMs - 1, 0);
}

/** The run after the given instant, when `executedCount` runs have been. */
export function nextRunMs(timing: JobTiming, afterMs: number, executedCount: number): number | undefined {
  const { definedAtMs, startTimeMs = definedAtMs, recurrence } = timing;
  return recurrence === undefined
    ? undefined
    : nextOccurrence(recurrence, startTimeMs, afterMs, executedCount);
}

export type DueRun = {
  /** When the run should have been. */
  readonly expectedMs: number;
  readonly nextMs: number | undefined;
};

/**
 * The run that is due at `nowMs`, and the one after it. However many occurrences went by while nothing ran, they become
 * this one run, expected at the first of them; then the schedule goes on after now. It counts as one run. An occurrence
 * that fell due before the end time is made up for even when the end time has passed meanwhile.
 */
export function dueRun(
  timing: JobTiming,
  expectedMs: number,
  nowMs: number,
  executedCount: number,
): DueRun | undefined {
  if (expectedMs > nowMs) return undefined;
  return { expectedMs, nextMs: nextRunMs(timing, nowMs, executedCount + 1) };
}

/**
 * When a job that was disabled runs next. What went by meanwhile is not made up for, because the caller wanted it not to
 * run; a job that has yet to run its only time runs at once. `handledUntilMs` is when it last came due: on a clock that
 * stands still an occurrence of this very instant may have been already.
 */
export function resumedRunMs(
  timing: JobTiming,
  nowMs: number,
  executedCount: number,
  handledUntilMs = Number.NEGATIVE_INFINITY,
): number | undefined {
  if (timing.recurrence === undefined) {
    return executedCount > 0 ? undefined : Math.max(timing.startTimeMs ?? nowMs, nowMs);
  }
  return nextRunMs(timing, Math.max(nowMs - 1, handledUntilMs), executedCount);
}
