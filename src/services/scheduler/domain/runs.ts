/** Calculates the first run, the next run, and the run after a pause. */
import { nextOccurrence } from "./occurrences.ts";
import type { Recurrence } from "./recurrence.ts";

export type JobTiming = {
  /** Time of the definition, which replaces an omitted start time. */
  readonly definedAtMs: number;
  readonly startTimeMs?: number;
  /** Without a recurrence, the job runs once. */
  readonly recurrence?: Recurrence;
};

/** Without a start time, the job runs at once. If the start has passed, it runs at the next occurrence. */
export function firstRunMs({ definedAtMs, startTimeMs, recurrence }: JobTiming): number | undefined {
  if (startTimeMs === undefined) return definedAtMs;
  const earliestMs = Math.max(startTimeMs, definedAtMs);
  return recurrence === undefined ? earliestMs : nextOccurrence(recurrence, startTimeMs, earliestMs - 1, 0);
}

/** The run after an instant, given the number of earlier runs. */
export function nextRunMs(timing: JobTiming, afterMs: number, executedCount: number): number | undefined {
  const { definedAtMs, startTimeMs = definedAtMs, recurrence } = timing;
  return recurrence === undefined
    ? undefined
    : nextOccurrence(recurrence, startTimeMs, afterMs, executedCount);
}

export type DueRun = {
  /** Scheduled time of the run. */
  readonly expectedMs: number;
  readonly nextMs: number | undefined;
};

/**
 * The run due at `nowMs`, and the next one. All occurrences that were missed become this one run, with the
 * time of the first. It counts as one run. It also happens if the end time has passed meanwhile.
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
 * Next run of a job after it was disabled. Missed occurrences are skipped, because the caller disabled the
 * job. A pending single run starts at once. `handledUntilMs` prevents a second run at the same instant if
 * the clock stands still.
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
