/** What the console shows of the scheduler. */
import type { ConsoleView, Context } from "#kernel/operation";
import { findById } from "#kernel/resource-provider";
import { instantText, type JobDefinition } from "./domain/index.ts";
import { type JobResource, keepingOf } from "./jobs/index.ts";
import { listRecentHistory, listSomeJobKeys } from "./store.ts";

/** `collection/job`, out of the identifier. */
const shortNameOf = (id: string): string => {
  const words = id.split("/");
  return `${words.at(-3) ?? ""}/${words.at(-1) ?? ""}`;
};

function jobRow(job: JobResource): readonly unknown[] {
  const { state, action, status } = job.properties;
  const { nextRunMs } = keepingOf(job);
  return [
    shortNameOf(job.id),
    state,
    action.type,
    nextRunMs === undefined ? "" : instantText(nextRunMs),
    status.executionCount,
    status.failureCount,
  ];
}

async function jobRows(context: Context, limit: number): Promise<readonly (readonly unknown[])[]> {
  const rows: (readonly unknown[])[] = [];
  for (const key of await listSomeJobKeys(context.db, context.account, limit)) {
    const job = await findById<JobDefinition>(context, key);
    if (job) rows.push(jobRow(job));
  }
  return rows;
}

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Jobs",
    columns: ["Job", "State", "Action", "Next run", "Runs", "Failures"],
    rows: jobRows,
  },
  {
    title: "Latest attempts",
    columns: ["Time", "Job", "Action", "Status", "Retry", "Message"],
    async rows({ db, account }, limit) {
      const history = await listRecentHistory(db, account, limit);
      return history.map((row) => [
        instantText(row.ended_at),
        shortNameOf(row.job_key),
        row.action_name,
        row.status,
        row.retry_count,
        row.message,
      ]);
    },
  },
];
