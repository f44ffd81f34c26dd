/** Writes history entries of jobs and deletes old ones. */
import { Type } from "@sinclair/typebox";
import { type Context, jobsFor } from "#kernel/operation";
import type { ActionName, ExecutionStatus } from "../domain/index.ts";
import { historyLimits, insertHistory, pruneHistory } from "../store.ts";
import type { Tables } from "../tables.ts";
import { type JobResource, keepingOf, withChange } from "./job-record.ts";

const PRUNE_EVERY_SECONDS = 7 * 86_400;

export type HistoryEntry = {
  readonly actionName: ActionName;
  readonly status: ExecutionStatus;
  readonly retryCount: number;
  readonly repeatCount: number;
  readonly message: string;
  readonly expectedMs: number;
  readonly startedMs: number;
  readonly endedMs: number;
};

/** Returns the changed job. The caller must save it. */
export async function noteInHistory(
  context: Context,
  job: JobResource,
  entry: HistoryEntry,
): Promise<JobResource> {
  const position = keepingOf(job).historyCount + 1;
  await insertHistory(context.db, {
    account: context.account,
    job_key: job.key,
    position,
    action_name: entry.actionName,
    status: entry.status,
    retry_count: entry.retryCount,
    repeat_count: entry.repeatCount,
    message: entry.message,
    expected_at: entry.expectedMs,
    started_at: entry.startedMs,
    ended_at: entry.endedMs,
  });
  return withChange(job, { keeping: { historyCount: position } });
}

export const pruneJob = jobsFor<Tables>()({
  name: "scheduler.prune-history",
  payload: Type.Object({}),
  transaction: "manual",
  sharesCommits: true,
  repeat: { everySeconds: PRUNE_EVERY_SECONDS },
  housekeeping: true,
  async run(_payload, context) {
    const beforeMs = context.clock.nowMs() - historyLimits.ageMsMax;
    while (await context.transact(({ db }) => pruneHistory(db, beforeMs)));
  },
});
