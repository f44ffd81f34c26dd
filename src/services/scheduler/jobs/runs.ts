/**
 * Runs of a job. A run is one occurrence (or one call of `run`) with its retries and its error action. Each
 * attempt is a separate kernel job. An attempt counts only while the run waits for exactly this attempt. So
 * an attempt repeated after a crash is recorded once, although its request can be sent twice.
 */
import { Type } from "@sinclair/typebox";
import { type Context, jobsFor } from "#kernel/operation";
import {
  type ActionName,
  type AttemptOutcome,
  actionPaths,
  findActionNamed,
  instantText,
  mayRun,
  outcomeOf,
  retryPolicyOf,
  stateAfterRun,
} from "../domain/index.ts";
import { findRun, insertRun, listRuns, removeRun, updateRun } from "../store.ts";
import type { RunRow, Tables } from "../tables.ts";
import { noteInHistory } from "./history.ts";
import { type Outcome, performRequest } from "./http-action.ts";
import {
  type CollectionResource,
  findJob,
  findSecrets,
  type JobResource,
  keepingOf,
  saveJob,
  withChange,
} from "./job-record.ts";
import { isMessageAction, performMessage } from "./message-action.ts";

const actionNamesOnWire = Type.Union([Type.Literal("MainAction"), Type.Literal("ErrorAction")]);
const attemptPayload = Type.Object({
  jobKey: Type.String(),
  runId: Type.String(),
  actionName: actionNamesOnWire,
  retryCount: Type.Integer(),
});
type AttemptPayload = { jobKey: string; runId: string; actionName: ActionName; retryCount: number };

/** Only database errors repeat an attempt in the queue, so it must not give up soon. */
const QUEUE_ATTEMPTS_MAX = 10_000;

const attemptKeyOf = ({ account, id }: RunRow): string => `scheduler.attempt:${account}:${id}`;
const enqueueAttempt = (context: Context, run: RunRow, runAtMs: number): Promise<string> =>
  context.enqueue(
    attemptJob,
    { jobKey: run.job_key, runId: run.id, actionName: run.action_name, retryCount: run.retry_count },
    { runAtMs, key: attemptKeyOf(run) },
  );

/** Whether a scheduled run is in progress. Manual runs are independent of the schedule. */
export async function hasScheduledRun(context: Context, job: JobResource): Promise<boolean> {
  return (await listRuns(context.db, context.account, job.key)).some(({ scheduled }) => scheduled === 1);
}

/** Cancels runs that wait for an attempt. A run with an attempt in progress ends after it. */
export async function giveUpWaiting(
  context: Context,
  job: JobResource,
  which: "all" | "scheduled",
): Promise<void> {
  for (const run of await listRuns(context.db, context.account, job.key)) {
    if (which === "scheduled" && run.scheduled === 0) continue;
    if (await context.cancelJob(attemptJob, attemptKeyOf(run))) await removeRun(context.db, run);
  }
}

/** Returns the changed job. The caller must save it. */
export async function beginRun(
  context: Context,
  job: JobResource,
  { scheduled, expectedMs }: { readonly scheduled: boolean; readonly expectedMs: number },
): Promise<JobResource> {
  const nowMs = context.clock.nowMs();
  const run: RunRow = {
    account: context.account,
    job_key: job.key,
    id: context.ids.next("run"),
    scheduled: scheduled ? 1 : 0,
    action_name: "MainAction",
    retry_count: 0,
    repeat_count: keepingOf(job).countedRuns,
    faulted: 0,
    expected_at: expectedMs,
  };
  await insertRun(context.db, run);
  await enqueueAttempt(context, run, nowMs);
  const { status } = job.properties;
  return withChange(job, {
    definition: {
      status: {
        ...status,
        executionCount: status.executionCount + 1,
        lastExecutionTime: instantText(nowMs),
      },
    },
  });
}

type UnderWay = {
  readonly job: JobResource;
  readonly collection: CollectionResource;
  readonly run: RunRow;
};

/** Undefined if the run has moved on, or was deleted with its job. */
async function findUnderWay(context: Context, payload: AttemptPayload): Promise<UnderWay | undefined> {
  const found = await findJob(context, payload.jobKey);
  const run = found && (await findRun(context.db, context.account, found.job.key, payload.runId));
  const isAwaited = run?.action_name === payload.actionName && run.retry_count === payload.retryCount;
  return found && run && isAwaited ? { ...found, run } : undefined;
}

/** Pending retries are cancelled if the job or its collection is disabled. */
function isStillWanted({ job, collection, run }: UnderWay): boolean {
  if (run.scheduled === 0) return collection.properties.state === "Enabled";
  return mayRun(job.properties.state, collection.properties.state);
}

/** Lets receivers detect a request that was repeated after a crash. */
const headersOf = ({ job, run }: UnderWay): Record<string, string> => ({
  "x-scheduler-job": job.id,
  "x-scheduler-run-id": run.id,
  "x-scheduler-attempt": `${run.action_name}-${run.retry_count}`,
  "x-scheduler-expected-execution-time": instantText(run.expected_at),
});

async function attempt(payload: AttemptPayload, context: Context): Promise<void> {
  const underWay = await findUnderWay(context, payload);
  if (underWay === undefined) return;
  if (!isStillWanted(underWay)) {
    await context.transact((inner) => giveUp(inner, payload));
    return;
  }
  const action = findActionNamed(underWay.job.properties, payload.actionName);
  const startedMs = context.clock.nowMs();
  let outcome: Outcome | undefined;
  if (action !== undefined && !isMessageAction(action)) {
    const path = `${actionPaths[payload.actionName]}.request.authentication`;
    const secret = findSecrets(context, underWay.job)?.[path];
    outcome = await performRequest(context, action.request, secret, headersOf(underWay));
  }
  await context.transact((inner) => conclude(inner, payload, startedMs, outcome));
}

async function giveUp(context: Context, payload: AttemptPayload): Promise<void> {
  const underWay = await findUnderWay(context, payload);
  if (underWay) await removeRun(context.db, underWay.run);
}

/** Without an outcome, the action is a message, which is sent in this transaction. */
async function conclude(
  context: Context,
  payload: AttemptPayload,
  startedMs: number,
  performed: Outcome | undefined,
): Promise<void> {
  const underWay = await findUnderWay(context, payload);
  if (underWay === undefined) return;
  const { run } = underWay;
  const outcome = performed ?? (await performNow(context, underWay));
  const endedMs = context.clock.nowMs();
  const noted = await noteInHistory(context, underWay.job, {
    actionName: run.action_name,
    status: outcome.succeeded ? "Completed" : "Failed",
    retryCount: run.retry_count,
    repeatCount: run.repeat_count,
    message: outcome.message,
    expectedMs: run.expected_at,
    startedMs,
    endedMs,
  });
  const isMain = run.action_name === "MainAction";
  const job = isMain && !outcome.succeeded ? countedIn(noted, "failureCount") : noted;
  const policy = retryPolicyOf(job.properties, run.action_name);
  const next = outcomeOf(
    { succeeded: outcome.succeeded, retryCount: run.retry_count, endedAtMs: endedMs },
    policy,
  );
  await saveJob(context, await goOn(context, { ...underWay, job }, next));
}

async function performNow(context: Context, underWay: UnderWay): Promise<Outcome> {
  const { job, run } = underWay;
  const action = findActionNamed(job.properties, run.action_name);
  if (action !== undefined && isMessageAction(action))
    return performMessage(context, action, {
      root: actionPaths[run.action_name],
      secrets: findSecrets(context, job),
      ownHeaders: headersOf(underWay),
    });
  return { succeeded: false, message: "The action was changed while it was being carried out." };
}

function countedIn(job: JobResource, counter: "failureCount" | "faultedCount"): JobResource {
  const { status } = job.properties;
  return withChange(job, { definition: { status: { ...status, [counter]: status[counter] + 1 } } });
}

/** Continues after an attempt. Returns the changed job. The caller must save it. */
async function goOn(context: Context, underWay: UnderWay, next: AttemptOutcome): Promise<JobResource> {
  const { job, run } = underWay;
  const isWanted = isStillWanted(underWay);
  if (next.next === "retry" && isWanted) {
    await attemptNext(context, { ...run, retry_count: next.retryCount }, next.retryAtMs);
    return job;
  }
  if (next.next !== "faulted" || run.action_name === "ErrorAction") return finishRun(context, underWay);
  const faulted: UnderWay = { ...underWay, job: countedIn(job, "faultedCount"), run: { ...run, faulted: 1 } };
  if (findActionNamed(job.properties, "ErrorAction") === undefined || !isWanted)
    return finishRun(context, faulted);
  const errorRun: RunRow = { ...faulted.run, action_name: "ErrorAction", retry_count: 0 };
  await attemptNext(context, errorRun, context.clock.nowMs());
  return faulted.job;
}

async function attemptNext(context: Context, run: RunRow, runAtMs: number): Promise<void> {
  await updateRun(context.db, run);
  await enqueueAttempt(context, run, runAtMs);
}

/** Starts one run for all postponed occurrences. After the last occurrence, the job is finished. */
async function finishRun(context: Context, { job, collection, run }: UnderWay): Promise<JobResource> {
  await removeRun(context.db, run);
  const { state } = job.properties;
  if (run.scheduled === 0 || !mayRun(state, collection.properties.state)) return job;
  const { postponedSinceMs, nextRunMs } = keepingOf(job);
  if (postponedSinceMs !== undefined) {
    const cleared = withChange(job, { keeping: { postponedSinceMs: undefined } });
    return beginRun(context, cleared, { scheduled: true, expectedMs: postponedSinceMs });
  }
  const after = stateAfterRun(state, { nextRunMs, faulted: run.faulted === 1 });
  return withChange(job, { definition: { state: after } });
}

export const attemptJob = jobsFor<Tables>()({
  name: "scheduler.attempt",
  payload: attemptPayload,
  transaction: "manual",
  sharesCommits: true,
  attemptsMax: QUEUE_ATTEMPTS_MAX,
  run: (payload, context) => attempt(payload, context),
});
