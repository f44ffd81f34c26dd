/** The rules of the job scheduler: recurrences, runs, retries, states and quotas. Pure, with no clock of its own. */
export {
  type Action,
  type ActionName,
  actionPaths,
  type CertificateFacts,
  type ErrorAction,
  type HttpAuthentication,
  type HttpRequest,
  type ServiceBusMessage,
  type StorageQueueMessage,
} from "./action.ts";
export type { ReadAction } from "./action-reading.ts";
export { type CollectionDefinition, readCollection } from "./collection.ts";
export type { KeptSecret, KeptSecrets } from "./definition-reader.ts";
export { instantText } from "./iso-time.ts";
export {
  findActionNamed,
  freshCounters,
  haveSameSchedule,
  isMoved,
  type JobCounters,
  type JobDefinition,
  type JobKeeping,
  quotaJobOf,
  retryPolicyOf,
  timingOf,
} from "./job.ts";
export { type JobReadingContext, type ReadJob, readJob } from "./job-reading.ts";
export {
  type CollectionState,
  changeState,
  type ExecutionStatus,
  type JobState,
  mayRun,
  type StateChange,
  stateAfterRun,
} from "./job-state.ts";
export { nextOccurrence, occurrences, shortestGapMs } from "./occurrences.ts";
export type { Problem, Reading } from "./problems.ts";
export {
  type CollectionPlan,
  type CollectionQuota,
  effectiveQuota,
  type MaxRecurrence,
  obstaclesToPlan,
  type PlanLimits,
  planLimits,
  type QuotaJob,
  type QuotaViolation,
  validateQuota,
  violationsOf,
  withinQuota,
} from "./quota.ts";
export {
  type Frequency,
  type MonthlyOccurrence,
  type Recurrence,
  type Schedule,
  WEEK_DAYS,
  type WeekDay,
} from "./recurrence.ts";
export {
  type RecurrenceContext,
  readRecurrence,
  readStartTime,
  validateRecurrence,
} from "./recurrence-reading.ts";
export type { RecurrenceText, ScheduleText } from "./recurrence-writing.ts";
export {
  type Attempt,
  type AttemptOutcome,
  defaultRetryPolicy,
  outcomeOf,
  type RetryPolicy,
  type RetryType,
  readRetryPolicy,
} from "./retry.ts";
export { type DueRun, dueRun, firstRunMs, type JobTiming, nextRunMs, resumedRunMs } from "./runs.ts";
export { isTimeZone } from "./time-zone.ts";
