/** Jobs: waiting, running, failed and finished. They can be retried or cancelled. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { type Context, defineErrors, kernelErrors, noBody, operationsFor } from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";
import { ADMIN_PERMISSION, OWN_PERMISSION, visibleAccountOf } from "../protocol.ts";
import * as store from "../store.ts";
import { Caused, RecordFilter, timeOf } from "../wire.ts";

const operation = operationsFor<KernelTables>();
const errors = defineErrors({ noSuchJob: ["NoSuchJob", 404] });

type JobRow = NonNullable<Awaited<ReturnType<typeof store.findJob>>>;
const moment = (description: string) => Type.String({ description, examples: ["2026-01-01T01:00:00.000Z"] });
const maybe = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });

const JobView = Type.Object({
  id: Type.String(),
  job: Type.String(),
  service: Type.String(),
  account: Type.String(),
  state: Type.String({ description: "waiting, running, done or failed.", examples: ["waiting"] }),
  runAt: moment("When it is due, or was."),
  attempts: Type.Integer({ description: "How often it was tried.", examples: [1] }),
  error: maybe("Why the last attempt failed.", "The address does not answer."),
  payload: Type.Unknown({ description: "What it was given.", examples: [{ jobId: "nightly" }] }),
  createdAt: Type.String(),
  finishedAt: maybe("When it ended for good.", "2026-01-01T01:00:00.120Z"),
});
const showJob = (row: JobRow) => ({
  id: row.id,
  job: row.name,
  service: row.service,
  account: row.account,
  state: row.state,
  runAt: isoOf(row.run_at),
  attempts: row.attempts,
  error: row.error,
  payload: JSON.parse(row.payload),
  createdAt: isoOf(row.created_at),
  finishedAt: timeOf(row.finished_at),
});

const named = Type.Object({
  id: Type.String({
    maxLength: 100,
    description: "The job's id.",
    examples: ["job_1m7fqc7680000eyv1bw2px5"],
  }),
});
/** A job of another account counts as missing. */
async function getJob({ db, principal }: Context<KernelTables>, id: string): Promise<JobRow> {
  const row = await store.findJob(db, id);
  if (row && (principal.admin || row.account === principal.account)) return row;
  throw errors.noSuchJob(`There is no job ${id}; of those that are done, the latest thousand are kept.`);
}

/** Housekeeping jobs are cleanups of services, which users rarely wait for. */
const housekeeping = (isDefault: boolean) =>
  Type.Boolean({
    default: isDefault,
    description: "Whether the services' own housekeeping is listed as well.",
    examples: [isDefault],
  });
const exceptOf = ({ jobs }: Kernel, withHousekeeping: boolean): readonly string[] =>
  withHousekeeping ? [] : jobs.housekeepingNames;

const listOperation = (kernel: Kernel) =>
  operation({
    id: "medley.jobs.list",
    summary: "Lists jobs, newest first",
    description:
      "Jobs of the caller's account, or of all for admins. The latest 1000 completed jobs are kept.",
    method: "GET",
    path: "/jobs",
    permission: OWN_PERMISSION,
    mayBeOld: "if-allowed",
    query: Type.Object({ ...RecordFilter, housekeeping: housekeeping(true) }),
    answers: { 200: Type.Object({ jobs: Type.Array(JobView), nextToken: Type.Optional(Type.String()) }) },
    async handle({ query: { limit: size, nextToken: token, ...wanted } }, { db, pages, principal }) {
      const filter = { ...wanted, account: visibleAccountOf(principal, wanted.account) };
      const except = exceptOf(kernel, wanted.housekeeping);
      const { rows, ...next } = await pages.of(
        { size, token, filter },
        (row: JobRow) => [row.id],
        (before, limit) => store.listJobs(db, { ...filter, except, before: before?.[0], limit }),
      );
      return { jobs: rows.map(showJob), ...next };
    },
  });

const countOperation = (kernel: Kernel) =>
  operation({
    id: "medley.jobs.counts",
    summary: "Counts jobs by state",
    description: "Jobs of the caller's account, or of all for admins.",
    method: "GET",
    path: "/jobs/counts",
    permission: OWN_PERMISSION,
    mayBeOld: "if-allowed",
    query: Type.Object({
      service: RecordFilter.service,
      account: RecordFilter.account,
      housekeeping: housekeeping(true),
    }),
    answers: {
      200: Type.Object({
        waiting: Type.Integer({ description: "How much is not due yet, or not begun.", examples: [12] }),
        running: Type.Integer({ description: "How much is being done.", examples: [1] }),
        failed: Type.Integer({ description: "How much was given up.", examples: [0] }),
        done: Type.Integer({ description: "How much of what was done is still kept.", examples: [1000] }),
      }),
    },
    async handle({ query }, { db, principal }) {
      const account = visibleAccountOf(principal, query.account);
      const except = exceptOf(kernel, query.housekeeping);
      const counts = await store.countJobs(db, { service: query.service, account, except });
      return { waiting: 0, running: 0, failed: 0, done: 0, ...counts };
    },
  });

const getOperation = (kernel: Kernel) =>
  operation({
    id: "medley.jobs.get",
    summary: "Returns a job with its effects",
    description: "Effects are kept in memory of the node that ran it. A job of another account gives 404.",
    method: "GET",
    path: "/jobs/{id}",
    permission: OWN_PERMISSION,
    params: named,
    answers: {
      200: Type.Object({
        ...JobView.properties,
        caused: Type.Array(Caused, { description: "The work, messages and resources it caused." }),
      }),
    },
    errors: [errors.noSuchJob],
    async handle({ params }, context) {
      const row = await getJob(context, params.id);
      return { ...showJob(row), caused: kernel.effects.ofOne(row.id) };
    },
  });

/**
 * Waiting jobs with a key are planned: they repeat or wait for their time. Jobs with failed attempts are
 * retries instead.
 */
const isPlanned = ({ state, dedupe_key, attempts, run_at }: JobRow, nowMs: number): boolean =>
  state === "waiting" && dedupe_key !== null && attempts === 0 && run_at > nowMs;

const retryOperation = (kernel: Kernel) =>
  operation({
    id: "medley.jobs.retry",
    summary: "Runs a failed or waiting job now",
    description:
      "A planned job keeps its time: a copy runs now, and the response describes the copy. Running and completed jobs are refused.",
    method: "POST",
    path: "/jobs/{id}/retry",
    permission: ADMIN_PERMISSION,
    params: named,
    answers: { 200: JobView },
    errors: [errors.noSuchJob],
    async handle({ params }, context) {
      const job = await getJob(context, params.id);
      const nowMs = context.clock.nowMs();
      const isCopied = isPlanned(job, nowMs);
      const id = isCopied ? context.ids.next("job") : job.id;
      if (isCopied) await store.copyJob(context.db, job, { id, nowMs });
      else if (!(await store.retryJob(context.db, id, nowMs)))
        throw kernelErrors.conflict(
          `The job is ${job.state}: only failed and waiting ones can be tried again.`,
        );
      context.afterCommit(() => kernel.jobs.wake());
      return showJob(await getJob(context, id));
    },
  });

const cancelOperation = operation({
  id: "medley.jobs.cancel",
  summary: "Cancels a waiting job",
  description:
    "The resource that it was for may stay in a transitional state. Running, completed and failed jobs are refused.",
  method: "POST",
  path: "/jobs/{id}/cancel",
  permission: ADMIN_PERMISSION,
  params: named,
  answers: { 204: noBody },
  errors: [errors.noSuchJob],
  async handle({ params }, context) {
    const { id, state } = await getJob(context, params.id);
    if (!(await store.cancelJob(context.db, id)))
      throw kernelErrors.conflict(`The job is ${state}: only waiting ones can be called off.`);
  },
});

const DUE_MAX = 1000;
const dueOperation = (kernel: Kernel) =>
  operation({
    id: "medley.due",
    summary: "Lists the jobs that are due next",
    description:
      "Across all services, earliest first. Housekeeping is left out unless asked for. Run them early with `medley.clock.advance`.",
    method: "GET",
    path: "/due",
    permission: OWN_PERMISSION,
    mayBeOld: "if-allowed",
    query: Type.Object({
      limit: Type.Integer({
        minimum: 1,
        maximum: DUE_MAX,
        default: 100,
        description: "How much of it.",
        examples: [100],
      }),
      service: RecordFilter.service,
      account: RecordFilter.account,
      housekeeping: housekeeping(false),
    }),
    answers: {
      200: Type.Object({
        now: Type.String(),
        due: Type.Array(
          Type.Object({
            id: Type.String(),
            job: Type.String(),
            service: Type.String(),
            account: Type.String(),
            at: moment("When it is due."),
            attempts: Type.Integer({ description: "How often it was tried before.", examples: [0] }),
          }),
          { description: "The first comes first." },
        ),
      }),
    },
    async handle({ query: { housekeeping: isShown, account, ...filter } }, { db, clock, principal }) {
      const except = exceptOf(kernel, isShown);
      const wanted = { ...filter, except, account: visibleAccountOf(principal, account) };
      const rows = await store.listDue(db, wanted);
      const due = rows.map(({ id, name, service, account: owner, run_at, attempts }) => ({
        id,
        job: name,
        service,
        account: owner,
        at: isoOf(run_at),
        attempts,
      }));
      return { now: clock.nowIso(), due };
    },
  });

export const workOperations = (kernel: Kernel) => [
  listOperation(kernel),
  countOperation(kernel),
  getOperation(kernel),
  retryOperation(kernel),
  cancelOperation,
  dueOperation(kernel),
];
