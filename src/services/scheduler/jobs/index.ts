/** Exports for operations: timers, runs and job records. */
export { pruneJob } from "./history.ts";
export {
  type CollectionResource,
  findSecrets,
  type JobResource,
  keepingOf,
  quotaOf,
  saveJob,
  sealSecrets,
} from "./job-record.ts";
export { occurrenceJob, restJob, resumeJob, setTimer } from "./occurrences.ts";
export { attemptJob, beginRun, giveUpWaiting, hasScheduledRun } from "./runs.ts";
