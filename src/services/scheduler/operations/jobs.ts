/** Operations that define jobs, run them manually and read their history. */
import { Type } from "@sinclair/typebox";
import { answer, type Context, noBody } from "#kernel/operation";
import { type Action, findById, resourceType } from "#kernel/resource-provider";
import { type CollectionDefinition, instantText, type JobDefinition } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { beginRun, giveUpWaiting, type JobResource, keepingOf, saveJob, setTimer } from "../jobs/index.ts";
import * as store from "../store.ts";
import { jobAnswer, jobPatch, jobPut } from "../wire/index.ts";
import { predicateOf, TOP_MAX } from "./filters.ts";
import { historyAction } from "./history.ts";
import { jobCollections } from "./job-collections.ts";
import { prepareJob } from "./job-definition.ts";
import { collectionNameOf } from "./names.ts";

/** Limit of concurrent manual runs of one job. */
const RUNS_BY_HAND_MAX = 10;

async function run(context: Context, job: JobResource) {
  const collection = await findById<CollectionDefinition>(context, job.parentKey);
  if (collection?.properties.state !== "Enabled")
    throw errors.jobCollectionNotEnabled("The job's collection is not enabled, so none of its jobs runs.");
  const runs = await store.listRuns(context.db, context.account, job.key);
  if (runs.filter(({ scheduled }) => scheduled === 0).length >= RUNS_BY_HAND_MAX)
    throw errors.tooManyRuns(`${RUNS_BY_HAND_MAX} runs by hand are still under way.`);
  await saveJob(
    context,
    await beginRun(context, job, { scheduled: false, expectedMs: context.clock.nowMs() }),
  );
  return answer(200);
}

const runAction: Action<JobDefinition> = {
  name: "run",
  summary: "Runs a job now, whatever its schedule and state.",
  description: `The response comes before the run; see \`scheduler.jobs.history\` for the outcome. The run does not change the schedule. Refused while the collection is disabled, or while ${RUNS_BY_HAND_MAX} such runs are in progress.`,
  answers: { 200: noBody },
  errors: [errors.jobCollectionNotEnabled, errors.tooManyRuns],
  handle: ({ resource }, context) => run(context, resource),
};

const stateField = { state: { type: "string", ignoreCase: true } } as const;

export const jobs = resourceType<JobDefinition>({
  name: "jobs",
  title: "job",
  parent: jobCollections,
  parameter: "jobName",
  idWords: "jobs",
  nameRule: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/,
    says: "1 to 100 letters, digits, hyphens, underscores and dots, beginning with a letter or digit",
    example: "clean-up",
  },
  catalogType: false,
  descriptions: {
    get: "`status` has the counts of runs and failures, and the next and last time.",
    put: "Takes effect immediately. Without a recurrence the job runs once. A job without a start time runs now; one whose start is past runs now, or at the next time of its recurrence. A finished job starts again with zero runs. A failed attempt is retried 4 times every 30 seconds by default, then the error action runs. A job may have 16 KB. Secrets are stored encrypted, and are kept if a later PUT omits them for the same user and origin.",
    patch:
      "Takes effect immediately. A job that is Completed or Faulted cannot be changed: define it again with PUT. Disabling cancels runs that wait for a retry.",
    delete: "Cancels waiting runs and deletes the history. A request that is being sent is not stopped.",
  },
  wire: { put: jobPut, patch: jobPatch, answer: jobAnswer },
  lists: {
    top: { min: 1, max: TOP_MAX },
    skip: true,
    query: Type.Object({
      $filter: Type.Optional(
        Type.String({
          description: "Which jobs to list, as an OData expression.",
          examples: ["state eq 'Enabled'"],
        }),
      ),
    }),
    select: ({ $filter }) => predicateOf($filter, stateField),
    errors: [errors.invalidFilter],
  },
  statuses: { delete: { done: 200, absent: 404 } },
  errors: [errors.invalidJob, errors.jobTooLarge, errors.jobQuotaExceeded, errors.jobIsFinished],
  actions: [runAction, historyAction],
  prepare: (wanted, about, context) => prepareJob(wanted as never, about, context),
  async written(job, previous, context) {
    const { key, parentKey } = job;
    if (previous?.properties.state === "Enabled" && job.properties.state === "Disabled")
      await giveUpWaiting(context, job, "scheduled");
    await store.putJob(context.db, { account: context.account, collection_key: parentKey, key });
    await setTimer(context, key, keepingOf(job).nextRunMs);
  },
  async removed(job, context) {
    await setTimer(context, job.key, undefined);
    await giveUpWaiting(context, job, "all");
    await store.removeJob(context.db, context.account, job.key, job.parentKey);
  },
  present(job) {
    const { nextRunMs } = keepingOf(job);
    const { status, ...definition } = job.properties;
    return {
      ...definition,
      status: { ...status, ...(nextRunMs !== undefined && { nextExecutionTime: instantText(nextRunMs) }) },
    };
  },
  presentWhole: (body, job) => ({ ...body, name: `${collectionNameOf(job)}/${job.name}` }),
});
