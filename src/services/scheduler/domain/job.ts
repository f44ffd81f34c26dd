/** A job as it is kept: its definition in callers' spelling, its counters, and what only the scheduler knows of it. */
import { type Action, type ActionName, authenticates, type ErrorAction } from "./action.ts";
import { findInstant } from "./iso-time.ts";
import type { JobState } from "./job-state.ts";
import { type CollectionQuota, type QuotaJob, withinQuota } from "./quota.ts";
import type { Recurrence } from "./recurrence.ts";
import { type RecurrenceText, recurrenceOf } from "./recurrence-text.ts";
import { type RetryPolicy, retryPolicyFrom } from "./retry.ts";
import type { JobTiming } from "./runs.ts";

export type JobCounters = {
  /** Runs begun, also those that were asked for by hand. */
  readonly executionCount: number;
  /** Attempts of the main action that failed, those that were retried included. */
  readonly failureCount: number;
  /** Runs that failed for good. */
  readonly faultedCount: number;
  readonly lastExecutionTime?: string;
};

export type JobDefinition = {
  readonly startTime?: string;
  readonly action: Action;
  readonly recurrence?: RecurrenceText;
  readonly state: JobState;
  readonly status: JobCounters;
};

/** Kept with the job and never shown. */
export type JobKeeping = {
  readonly definedAtMs: number;
  /** Runs by schedule, which `count` limits; runs by hand are not among them. */
  readonly countedRuns: number;
  readonly nextRunMs?: number;
  /** When an occurrence last fell due; none up to then falls due again. */
  readonly handledUntilMs?: number;
  /** The first occurrence that fell due while a run was still under way; they are made up for together. */
  readonly postponedSinceMs?: number;
  /** Entries of the history written so far; the last one's position. */
  readonly historyCount: number;
  readonly sealedSecrets?: string;
};

export const freshCounters: JobCounters = { executionCount: 0, failureCount: 0, faultedCount: 0 };

type Scheduled = Pick<JobDefinition, "startTime" | "recurrence">;

function storedRecurrenceOf({ recurrence }: Scheduled): Recurrence | undefined {
  return recurrence && recurrenceOf(recurrence);
}
const storedStartOf = ({ startTime }: Scheduled): number | undefined =>
  startTime === undefined ? undefined : findInstant(startTime);

export function timingOf(
  definition: Scheduled,
  { definedAtMs }: Pick<JobKeeping, "definedAtMs">,
  quota: CollectionQuota,
): JobTiming {
  const recurrence = storedRecurrenceOf(definition);
  const startTimeMs = storedStartOf(definition);
  return {
    definedAtMs,
    ...(startTimeMs !== undefined && { startTimeMs }),
    ...(recurrence !== undefined && { recurrence: withinQuota(recurrence, quota) }),
  };
}

/** What a quota looks at. */
export function quotaJobOf(definition: Scheduled & Pick<JobDefinition, "action">, nowMs: number): QuotaJob {
  const recurrence = storedRecurrenceOf(definition);
  return {
    startTimeMs: storedStartOf(definition) ?? nowMs,
    authenticates: authenticates(definition.action),
    ...(recurrence !== undefined && { recurrence }),
  };
}

export function findActionNamed(
  { action }: Pick<JobDefinition, "action">,
  name: ActionName,
): ErrorAction | undefined {
  return name === "MainAction" ? action : action.errorAction;
}

/** An error action without a policy follows the main action's. */
export function retryPolicyOf({ action }: Pick<JobDefinition, "action">, name: ActionName): RetryPolicy {
  const own = findActionNamed({ action }, name)?.retryPolicy;
  return retryPolicyFrom(own ?? action.retryPolicy);
}

const scheduleTextOf = ({ startTime, recurrence }: Scheduled): string =>
  JSON.stringify([startTime ?? null, recurrence ?? null]);
/**
 * Whether a definition has another schedule than before, whose runs are counted anew. Another count or end leads the same
 * schedule on, and so does losing or getting a recurrence while the start stays.
 */
export function isMoved(before: Scheduled, after: Scheduled): boolean {
  if (before.startTime !== after.startTime) return true;
  if (before.recurrence === undefined || after.recurrence === undefined) return false;
  const patternOf = ({ count: _count, endTime: _end, ...pattern }: RecurrenceText) => JSON.stringify(pattern);
  return patternOf(before.recurrence) !== patternOf(after.recurrence);
}
/** Whether two definitions come due at the same times. */
export const haveSameSchedule = (one: Scheduled, other: Scheduled): boolean =>
  scheduleTextOf(one) === scheduleTextOf(other);
