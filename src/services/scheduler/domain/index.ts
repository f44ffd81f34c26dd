/** The rules of the job scheduler: recurrences, runs, retries, states and quotas. Pure, with no clock of its own. */
export {
  type Action,
  type ActionName,
  actionLimits,
  actionNames,
  actionPaths,
  actionTypes,
  authenticates,
  type CertificateFacts,
  type ErrorAction,
  type HttpAuthentication,
  type HttpRequest,
  httpAuthenticationTypes,
  httpMethods,
  type ServiceBusMessage,
  type StorageQueueMessage,
  transportTypes,
} from "./action.ts";
export { type ReadAction, readAction } from "./action-reading.ts";
export { type CollectionDefinition, defaultPlan, readCollection } from "./collection.ts";
export type { KeptSecret, KeptSecrets } from "./definition-reader.ts";
export { findDurationMs, findInstant, instantText } from "./iso-time.ts";
export {
  findActionNamed,
  freshCounters,
  haveSameSchedule,
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
  collectionStates,
  type ExecutionStatus,
  executionStatuses,
  isFinal,
  type JobState,
  jobStates,
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
  plans,
  type QuotaJob,
  type QuotaViolation,
  validateQuota,
  violationsOf,
  withinQuota,
} from "./quota.ts";
export {
  type Frequency,
  frequencies,
  type MonthlyOccurrence,
  type Recurrence,
  type Schedule,
  type WeekDay,
  weekDays,
} from "./recurrence.ts";
export {
  type RecurrenceContext,
  readRecurrence,
  readStartTime,
  validateRecurrence,
} from "./recurrence-reading.ts";
export { type RecurrenceText, type ScheduleText, writeRecurrence } from "./recurrence-writing.ts";
export {
  type Attempt,
  type AttemptOutcome,
  defaultRetryPolicy,
  outcomeOf,
  type RetryPolicy,
  type RetryType,
  readRetryPolicy,
  retryLimits,
  retryTypes,
} from "./retry.ts";
export { type DueRun, dueRun, firstRunMs, type JobTiming, nextRunMs, resumedRunMs } from "./runs.ts";
export { isTimeZone } from "./time-zone.ts";
