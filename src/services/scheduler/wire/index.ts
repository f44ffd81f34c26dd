/** Schemas of job collections, jobs and history. */
export type { GivenAction, GivenErrorAction } from "./action.ts";
export {
  collectionAnswer,
  collectionPatch,
  collectionProperties,
  collectionPut,
  type GivenCollection,
  STATE_SAYS,
} from "./collections.ts";
export { type GivenJob, historyList, jobAnswer, jobPatch, jobProperties, jobPut } from "./jobs.ts";
export type { GivenRecurrence, GivenSchedule } from "./recurrence.ts";
