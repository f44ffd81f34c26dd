/** A stored job: definition in the spelling of the API, counters, and internal state. */
import { type Action, type ActionName, authenticates, type ErrorAction } from "./action.ts";
import { findInstant } from "./iso-time.ts";
import type { JobState } from "./job-state.ts";
import { type CollectionQuota, type QuotaJob, withinQuota } from "./quota.ts";
import type { Recurrence } from "./recurrence.ts";
import { type RecurrenceText, recurrenceOf } from "./recurrence-text.ts";
import { type RetryPolicy, retryPolicyFrom } from "./retry.ts";
import type { JobTiming } from "./runs.ts";

export type JobCounters = {
  /** Started runs, including manual runs. */
  readonly executionCount: number;
  /** Failed attempts of the main action, including retries. */
  readonly failureCount: number;
  /** Runs that failed after all retries. */
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

/** Internal state, never shown. */
export type JobKeeping = {
  readonly definedAtMs: number;
  /** Scheduled runs, which `count` limits. Manual runs do not count. */
  readonly countedRuns: number;
  readonly nextRunMs?: number;
  /** Time when an occurrence was last handled. Earlier occurrences are not handled again. */
  readonly handledUntilMs?: number;
  /** First occurrence that was due during another run. All such occurrences become one run. */
  readonly postponedSinceMs?: number;
  /** Number of history entries written, which is the position of the last one. */
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

/** The facts of a job that quotas check. */
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

/** An error action without a policy uses the main action's policy. */
export function retryPolicyOf({ action }: Pick<JobDefinition, "action">, name: ActionName): RetryPolicy {
  const own = findActionNamed({ action }, name)?.retryPolicy;
  return retryPolicyFrom(own ?? action.retryPolicy);
}

const scheduleTextOf = ({ startTime, recurrence }: Scheduled): string =>
  JSON.stringify([startTime ?? null, recurrence ?? null]);
/**
 * Whether the schedule changed, so that runs are counted from zero. A changed count or end time continues
 * the same schedule. So does adding or removing the recurrence with the same start.
 */
export function isMoved(before: Scheduled, after: Scheduled): boolean {
  if (before.startTime !== after.startTime) return true;
  if (before.recurrence === undefined || after.recurrence === undefined) return false;
  const patternOf = ({ count: _count, endTime: _end, ...pattern }: RecurrenceText) => JSON.stringify(pattern);
  return patternOf(before.recurrence) !== patternOf(after.recurrence);
}
/** Whether two definitions have the same occurrences. */
export const haveSameSchedule = (one: Scheduled, other: Scheduled): boolean =>
  scheduleTextOf(one) === scheduleTextOf(other);
