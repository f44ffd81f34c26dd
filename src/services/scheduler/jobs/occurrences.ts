/** Timers of jobs: a kernel job waits for the next occurrence, starts the run and sets the next timer. */
import { Type } from "@sinclair/typebox";
import { type Context, jobsFor } from "#kernel/operation";
import {
  dueRun,
  mayRun,
  nextRunMs as nextRunAfter,
  resumedRunMs,
  stateAfterRun,
  timingOf,
} from "../domain/index.ts";
import type { Tables } from "../tables.ts";
import { noteInHistory } from "./history.ts";
import {
  type CollectionResource,
  findJob,
  type JobResource,
  keepingOf,
  quotaOf,
  saveJob,
  withChange,
} from "./job-record.ts";
import { beginRun, giveUpWaiting, hasScheduledRun } from "./runs.ts";

const QUEUE_ATTEMPTS_MAX = 10_000;

const timerKeyOf = (context: Context, jobKey: string): string =>
  `scheduler.timer:${context.account}:${jobKey}`;

/** Undefined cancels the timer. */
export async function setTimer(context: Context, jobKey: string, runAtMs: number | undefined): Promise<void> {
  const key = timerKeyOf(context, jobKey);
  if (runAtMs === undefined) await context.cancelJob(occurrenceJob, key);
  else await context.enqueue(occurrenceJob, { jobKey }, { runAtMs, key });
}

/** Records an occurrence that is due during another run. It runs after that run ends. */
async function postpone(context: Context, job: JobResource, expectedMs: number): Promise<JobResource> {
  const nowMs = context.clock.nowMs();
  const noted = await noteInHistory(context, job, {
    actionName: "MainAction",
    status: "Postponed",
    retryCount: 0,
    repeatCount: keepingOf(job).countedRuns,
    message: "An earlier run was still under way. This occurrence is made up for when that run ends.",
    expectedMs,
    startedMs: nowMs,
    endedMs: nowMs,
  });
  const { postponedSinceMs, countedRuns } = keepingOf(noted);
  if (postponedSinceMs !== undefined) return noted;
  return withChange(noted, { keeping: { postponedSinceMs: expectedMs, countedRuns: countedRuns + 1 } });
}

async function occur({ jobKey }: { jobKey: string }, context: Context): Promise<void> {
  const found = await findJob(context, jobKey);
  if (found === undefined) return;
  const { job, collection } = found;
  const nowMs = context.clock.nowMs();
  const { nextRunMs: expectedMs, countedRuns } = keepingOf(job);
  if (expectedMs === undefined || !mayRun(job.properties.state, collection.properties.state)) return;
  const timing = timingOf(job.properties, keepingOf(job), quotaOf(collection));
  const due = dueRun(timing, expectedMs, nowMs, countedRuns);
  // The timer ran too early, so it is set again.
  if (due === undefined) return setTimer(context, jobKey, expectedMs);
  const isBusy = await hasScheduledRun(context, job);
  const counted = isBusy
    ? await postpone(context, job, expectedMs)
    : withChange(job, { keeping: { countedRuns: countedRuns + 1 } });
  const nextRunMs = nextRunAfter(timing, nowMs, keepingOf(counted).countedRuns);
  const planned = withChange(counted, { keeping: { nextRunMs, handledUntilMs: nowMs } });
  await setTimer(context, jobKey, nextRunMs);
  const begun = isBusy ? planned : await beginRun(context, planned, { scheduled: true, expectedMs });
  await saveJob(context, begun);
}

/**
 * Calculates the next run after a change of the job, its schedule or its collection. A job without further
 * runs is finished.
 */
export async function resumeJob(
  context: Context,
  job: JobResource,
  collection: CollectionResource,
): Promise<void> {
  const { state } = job.properties;
  if (state !== "Enabled") return;
  const timing = timingOf(job.properties, keepingOf(job), quotaOf(collection));
  const { countedRuns, handledUntilMs, nextRunMs: awaitedMs } = keepingOf(job);
  const nowMs = context.clock.nowMs();
  // Keeps an occurrence that is due but not started.
  const fromMs = Math.min(nowMs, awaitedMs ?? nowMs);
  const next = resumedRunMs(timing, fromMs, countedRuns, handledUntilMs);
  const isOver = next === undefined && !(await hasScheduledRun(context, job));
  const after = isOver ? stateAfterRun(state, { nextRunMs: next, faulted: false }) : state;
  await saveJob(context, withChange(job, { definition: { state: after }, keeping: { nextRunMs: next } }));
  await setTimer(context, job.key, next);
}

/** Postponed occurrences are dropped, because the caller disabled the job. */
export async function restJob(context: Context, job: JobResource): Promise<void> {
  await giveUpWaiting(context, job, "all");
  await saveJob(context, withChange(job, { keeping: { nextRunMs: undefined, postponedSinceMs: undefined } }));
  await setTimer(context, job.key, undefined);
}

export const occurrenceJob = jobsFor<Tables>()({
  name: "scheduler.occurrence",
  payload: Type.Object({ jobKey: Type.String() }),
  attemptsMax: QUEUE_ATTEMPTS_MAX,
  run: (payload, context) => occur(payload, context),
});
