/** Row types of the scheduler's tables. Collections and jobs themselves are managed resources. */
import type { ActionName, CollectionPlan, ExecutionStatus } from "./domain/index.ts";

export type CollectionRow = { account: string; key: string; subscription_key: string; plan: CollectionPlan };
export type JobRow = { account: string; collection_key: string; key: string };
export type RunRow = {
  account: string;
  job_key: string;
  id: string;
  scheduled: number;
  action_name: ActionName;
  retry_count: number;
  repeat_count: number;
  /** Whether all attempts of the main action failed, so that the error action runs. */
  faulted: number;
  expected_at: number;
};
export type HistoryRow = {
  account: string;
  job_key: string;
  position: number;
  action_name: ActionName;
  status: ExecutionStatus;
  retry_count: number;
  repeat_count: number;
  message: string;
  expected_at: number;
  started_at: number;
  ended_at: number;
};
export type Tables = {
  scheduler_collection: CollectionRow;
  scheduler_job: JobRow;
  scheduler_run: RunRow;
  scheduler_history: HistoryRow;
};
export const tables = [
  "scheduler_collection",
  "scheduler_job",
  "scheduler_run",
  "scheduler_history",
] as const satisfies readonly (keyof Tables)[];
