/** Views of the scheduler in the console. */
import type { ConsoleView, Context, Widget } from "#kernel/operation";
import { findById } from "#kernel/resource-provider";
import { instantText, type JobDefinition } from "./domain/index.ts";
import { type JobResource, keepingOf } from "./jobs/index.ts";
import { listRecentHistory, listSomeJobKeys } from "./store.ts";

const DETAILED_MAX = 500;
export const JOBS = "Jobs";
export const ATTEMPTS = "Latest attempts";

/** `collection/job` from the resource id. */
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

async function someJobs(context: Context, limit: number): Promise<JobResource[]> {
  const jobs: JobResource[] = [];
  for (const key of await listSomeJobKeys(context.db, context.account, limit)) {
    const job = await findById<JobDefinition>(context, key);
    if (job) jobs.push(job);
  }
  return jobs;
}

const SHOWN_MAX = 50;
/** Timeline of recent and upcoming runs. */
async function timeline(context: Context): Promise<readonly Widget[]> {
  const history = await listRecentHistory(context.db, context.account, SHOWN_MAX);
  const past = history.map((row) => ({
    at: instantText(row.ended_at),
    text: shortNameOf(row.job_key),
    state: row.status,
  }));
  const next = (await someJobs(context, SHOWN_MAX)).flatMap((job) => {
    const { nextRunMs } = keepingOf(job);
    return nextRunMs === undefined
      ? []
      : [{ at: instantText(nextRunMs), text: shortNameOf(job.id), state: "due" }];
  });
  const events = [...past, ...next].sort((a, b) => (a.at < b.at ? -1 : 1));
  return events.length === 0 ? [] : [{ kind: "timeline", title: "Last and next runs", events }];
}

async function jobDetail(context: Context, name: string) {
  const job = (await someJobs(context, DETAILED_MAX)).find(({ id }) => shortNameOf(id) === name);
  if (!job) return undefined;
  const { id, location, tags, properties } = job;
  const text = JSON.stringify(properties.recurrence ?? {}, null, 2);
  const recurrence: Widget = { kind: "code", title: "Recurrence", language: "json", text };
  // Omits the action, which can contain secrets.
  const { action: _action, ...told } = properties;
  return { value: { id, location, tags, properties: told }, widgets: [recurrence] };
}

export const consoleViews: readonly ConsoleView[] = [
  {
    title: JOBS,
    madeBy: "scheduler.jobs.put",
    columns: ["Job", "State", "Action", "Next run", "Runs", "Failures"],
    links: { Runs: { rowsOf: ATTEMPTS } },
    rows: async (context, limit) => (await someJobs(context, limit)).map(jobRow),
    widgets: timeline,
    detail: jobDetail,
  },
  {
    title: ATTEMPTS,
    madeBy: "scheduler.jobs.run",
    columns: ["Time", "Job", "Action", "Status", "Retry", "Message"],
    links: { Job: { view: JOBS } },
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
