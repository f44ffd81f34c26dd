/**
 * Training: a worker trains on a snapshot of the version's content. After a crash it starts again.
 * A request during a training runs after it. Two requests for the same revision are one training.
 */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { Version } from "../domain/application.ts";
import { examplesPerModel } from "../domain/training.ts";
import type { LanguageContext, State } from "../state.ts";
import { noteTrained } from "../store/models.ts";
import { isModelInUse } from "../store/published.ts";
import { findVersionByUid, updateVersion } from "../store/versions.ts";
import type { Tables } from "../tables.ts";
import { readVersion, type VersionRead } from "./large-content.ts";
import { runTestSet } from "./test-sets.ts";

const trainJob = jobsFor<Tables, State>()({
  name: "language.train",
  payload: Type.Object({ version: Type.String() }),
  transaction: "manual",
  attemptsMax: 3,
  async run({ version: uid }, context, { lastAttempt }) {
    const isToBeDone = await context.transact((inside) => begin(inside, uid));
    const begun = isToBeDone ? await readVersion(context, uid) : undefined;
    if (!begun) return;
    try {
      const bytes = await context.state.trainer.train(begun.content, uid);
      await context.transact((inside) => end(inside, uid, begun, bytes));
    } catch (error) {
      if (lastAttempt) await context.transact((inside) => giveUp(inside, uid));
      throw error;
    }
  },
});
/** A model that was kept for an application that never came to be. */
const dropJob = jobsFor<Tables, State>()({
  name: "language.drop-model",
  payload: Type.Object({ blob: Type.String() }),
  run: ({ blob }, context) => dropModel(context, blob),
});
const DAY_MS = 86_400_000;
export const dropModelUnlessUsed = (context: LanguageContext, blob: string): Promise<string> =>
  context.enqueue(dropJob, { blob }, { runAtMs: context.clock.nowMs() + DAY_MS });
export const trainingJobs = [trainJob, dropJob];

const keyOf = (uid: string): string => `train:${uid}`;

/** Returns the version after the request: `done` if nothing has changed since its last training. */
export async function askForTraining(context: LanguageContext, version: Version): Promise<Version> {
  const { db, account } = context;
  const { revision, trainedRevision, trainingStatus, trainingRevision } = version;
  if (trainedRevision === revision && trainingStatus === "done") return version;
  const isUnderWay = trainingStatus === "queued" || trainingStatus === "running";
  if (isUnderWay && trainingRevision === revision) return version;
  const asked: Version = {
    ...version,
    trainingStatus: "queued",
    trainingRevision: revision,
    trainingFailure: undefined,
  };
  await updateVersion(db, account, asked);
  await context.enqueue(trainJob, { version: version.uid }, { key: keyOf(version.uid) });
  return asked;
}
export async function takeBackTraining(context: LanguageContext, { uid }: Version): Promise<void> {
  await context.cancelJob(trainJob, keyOf(uid));
}

async function begin({ db, account }: LanguageContext, uid: string): Promise<boolean> {
  const version = await findVersionByUid(db, account, uid);
  if (!version || version.trainingStatus === "done") return false;
  await updateVersion(db, account, { ...version, trainingStatus: "running" });
  return true;
}

async function end(
  context: LanguageContext,
  uid: string,
  { content, version: { revision } }: VersionRead,
  bytes: Uint8Array,
): Promise<void> {
  const { db, account, clock, blobs } = context;
  const version = await findVersionByUid(db, account, uid);
  if (!version || (version.trainedRevision ?? -1) > revision) return;
  const blob = await blobs.put(bytes, "application/octet-stream");
  const nowMs = clock.nowMs();
  await noteTrained(db, account, uid, { revision, nowMs, examples: examplesPerModel(content) });
  const isLast = (version.trainingRevision ?? 0) <= revision;
  await updateVersion(db, account, {
    ...version,
    trainingStatus: isLast ? "done" : "queued",
    trainingFailure: undefined,
    trainedRevision: revision,
    trainedAtMs: nowMs,
    trainedBlob: blob.id,
  });
  await runTestSet(context, version, blob.id);
  await dropModel(context, version.trainedBlob);
}

async function giveUp({ db, account }: LanguageContext, uid: string): Promise<void> {
  const version = await findVersionByUid(db, account, uid);
  if (!version) return;
  await updateVersion(db, account, {
    ...version,
    trainingStatus: "failed",
    trainingFailure: "The training did not end.",
  });
}

/** A trained model that neither a version nor a slot answers with any more. */
export async function dropModel(
  { db, account, blobs }: LanguageContext,
  blob: string | undefined,
): Promise<void> {
  if (blob !== undefined && !(await isModelInUse(db, account, blob))) await blobs.remove(blob);
}
