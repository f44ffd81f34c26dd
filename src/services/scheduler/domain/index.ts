/**
 * The rules of the scheduler: recurrences, runs, retries, states and quotas. Pure: the caller passes the
 * time.
 */
export {
  ACTION_NAMES,
  type Action,
  type ActionName,
  actionLimits,
  actionPaths,
  type CertificateFacts,
  type ErrorAction,
  HTTP_METHODS,
  type HttpAuthentication,
  type HttpRequest,
  type MessageAction,
  type ServiceBusMessage,
  type StorageQueueMessage,
  TRANSPORT_TYPES,
} from "./action.ts";
export { type CollectionDefinition, collectionOf, DEFAULT_PLAN, mayBeAsked } from "./collection.ts";
export { findDurationMs, findInstant, instantText } from "./iso-time.ts";
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
export {
  COLLECTION_STATES,
  type CollectionState,
  changeState,
  EXECUTION_STATUSES,
  type ExecutionStatus,
  JOB_STATES,
  type JobState,
  mayRun,
  type StateChange,
  stateAfterRun,
} from "./job-state.ts";
export { type TimesContext, timeProblems } from "./job-times.ts";
export type { KeptSecret, KeptSecrets } from "./kept-secrets.ts";
export { nextOccurrence, occurrences, shortestGapMs } from "./occurrences.ts";
export type { Problem } from "./problems.ts";
export {
  type CollectionPlan,
  type CollectionQuota,
  effectiveQuota,
  isMoreFrequentThanPlan,
  type MaxRecurrence,
  obstaclesToPlan,
  PLANS,
  type PlanLimits,
  planLimits,
  type QuotaJob,
  type QuotaViolation,
  violationsOf,
  withinQuota,
} from "./quota.ts";
export {
  COUNT_MAX,
  FREQUENCIES,
  type Frequency,
  intervalMax,
  type MonthlyOccurrence,
  type Recurrence,
  type Schedule,
  type SchedulePart,
  scheduleParts,
  WEEK_DAYS,
  type WeekDay,
} from "./recurrence.ts";
export {
  type RecurrenceText,
  recurrenceOf,
  recurrenceTextOf,
  type ScheduleText,
} from "./recurrence-text.ts";
export {
  type Attempt,
  type AttemptOutcome,
  defaultRetryPolicy,
  outcomeOf,
  RETRY_TYPES,
  type RetryPolicy,
  type RetryType,
  retryLimits,
  retryPolicyFrom,
} from "./retry.ts";
export { type DueRun, dueRun, firstRunMs, type JobTiming, nextRunMs, resumedRunMs } from "./runs.ts";
export { isTimeZone } from "./time-zone.ts";
