/**
 * Runs a restore job: writes a tree to its folder, or passes a stream to the service that owns the resource
 * type.
 */

import { basename, dirname, join, normalize } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { arnOf, parseArn } from "#kernel/arn";
import { BackupSourceError, IN_PLACE } from "#kernel/backups";
import { type JobAttempt, jobsFor } from "#kernel/operation";
import { findPointIn, pointArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { BackupContext, State } from "../state.ts";
import type { ProgressReport } from "../storage/engine.ts";
import {
  findPoint,
  findRestoreJob,
  getRestoreJob,
  getVault,
  type JobKey,
  noteRestored,
  updatePoint,
  updateRestoreJob,
} from "../store/index.ts";
import {
  type PointRow,
  type RestoreJobRow,
  type Tables,
  type VaultRow,
  WITHOUT_TAGS,
} from "../tables/index.ts";
import { removeTree } from "../tree/remove.ts";
import { notifyVault } from "./notify.ts";
import { denied, type End, findEnd, internalError, StoppedError } from "./outcome.ts";
import { checkPlace } from "./restore-place.ts";
import { cleanUpLater } from "./restore-tested.ts";
import { restoreTimeOf } from "./restore-time.ts";
import { isRoleAllowed } from "./roles.ts";
import { FOLDER, FOLDER_TYPES, findStreamSource, RESTORE_PATH } from "./sources.ts";
import { chunkSourceOf, keyMaterialOf, Mutex, placeOfPoint, type Transact } from "./vault-storage.ts";

const RestoreWork = Type.Object({ region: Type.String(), jobId: Type.String() });
type RestoreWork = Static<typeof RestoreWork>;
const ENDED: readonly string[] = ["COMPLETED", "ABORTED", "FAILED"];
const ATTEMPTS_MAX = 5;
const NOTED_EVERY_MS = 300;
const MINUTE_MS = 60_000;

type Begun = { readonly job: RestoreJobRow; readonly point: PointRow; readonly vault: VaultRow };

async function tell(
  context: BackupContext,
  job: RestoreJobRow,
  events: readonly string[],
  message: string,
): Promise<void> {
  const about = { RestoreJobId: job.id, RecoveryPointArn: job.point_arn };
  await notifyVault(context, { region: job.region, vaultName: job.vault, events, message, about });
}

/** In a transaction. */
async function begin(context: BackupContext, { region, jobId }: RestoreWork): Promise<Begun | undefined> {
  const { db, account, clock } = context;
  const job = await findRestoreJob(db, account, region, jobId);
  if (!job || ENDED.includes(job.state)) return undefined;
  const named = findPointIn(job.point_arn);
  const point = named && (await findPoint(db, account, named.region, named.name));
  if (!point || point.status === "DELETING")
    throw errors.notFound(`There is no recovery point ${job.point_arn} any more.`);
  if (!(await isRoleAllowed(context, job.role_arn, "backup:StartRestoreJob")))
    throw new StoppedError(denied(`The role ${job.role_arn} may not restore.`));
  await updateRestoreJob(db, job, {
    state: "RUNNING",
    begun_at: job.begun_at ?? clock.nowMs(),
    source_holder: point.holder,
  });
  if (job.begun_at === null) await tell(context, job, ["RESTORE_JOB_STARTED"], "The restore job has begun.");
  return { job, point, vault: await getVault(db, account, point.region, point.vault) };
}

/** In a transaction. Completes the job and records the ARN of the restored resource. */
async function complete(context: BackupContext, { job, point }: Begun, restoredArn: string): Promise<void> {
  const { db, account, clock } = context;
  const { state, begun_at } = await getRestoreJob(db, account, job.region, job.id);
  if (ENDED.includes(state)) return;
  const nowMs = clock.nowMs();
  await updateRestoreJob(db, job, {
    state: "COMPLETED",
    percent: 100,
    message: null,
    created_resource_arn: restoredArn,
    source_holder: null,
    completed_at: nowMs,
    ...(job.validation_until !== null && { validation_status: "VALIDATING" }),
  });
  await updatePoint(db, point, { restored_at: nowMs });
  await noteRestored(db, account, job.region, job.resource_arn, {
    restore_minutes: Math.ceil((nowMs - (begun_at ?? nowMs)) / MINUTE_MS),
    restore_job_at: job.created_at,
    restored_point_at: point.created_at,
  });
  if (job.testing_plan_arn !== null) await cleanUpLater(context, job);
  const events = ["RESTORE_JOB_COMPLETED", "RESTORE_JOB_SUCCESSFUL"];
  await tell(context, job, events, "The restore job ended: COMPLETED.");
}
async function fail(context: BackupContext, key: JobKey, { state, message }: End): Promise<void> {
  const { db, clock } = context;
  const job = await getRestoreJob(db, key.account, key.region, key.id);
  if (ENDED.includes(job.state)) return;
  await updateRestoreJob(db, key, {
    state: state === "ABORTED" ? "ABORTED" : "FAILED",
    message: message ?? null,
    source_holder: null,
    completed_at: clock.nowMs(),
  });
  const events = ["RESTORE_JOB_COMPLETED", "RESTORE_JOB_FAILED"];
  await tell(context, job, events, message ?? "The restore job failed.");
}

function noteOf(job: RestoreJobRow, transact: Transact) {
  let notedAt = 0;
  return async ({ bytes, bytesTotal }: ProgressReport): Promise<void> => {
    if (performance.now() - notedAt < NOTED_EVERY_MS) return;
    notedAt = performance.now();
    const percent = bytesTotal === 0 ? 0 : Math.min(99.9, (100 * bytes) / bytesTotal);
    await transact((inner) => updateRestoreJob(inner.db, job, { percent }));
  };
}

const scratchNameOf = (jobId: string): string => `.medley-restore-${jobId}`;
/** Deletes the files that a finally failed restore has written. */
async function clearScratch({ state }: BackupContext, { id, metadata }: RestoreJobRow): Promise<void> {
  const { [RESTORE_PATH]: path, [IN_PLACE]: inPlace } = JSON.parse(metadata) as Record<string, string>;
  if (path === undefined || inPlace === "true") return;
  await removeTree(state.roots, join(dirname(path), scratchNameOf(id))).catch(() => {});
}

/** A folder restored to a new path becomes a new resource. A folder restored by a test does not. */
async function restoredFolder(
  { account, catalog }: BackupContext,
  { job, point }: Begun,
  path: string,
): Promise<string> {
  const { [RESTORE_PATH]: own = "" } = JSON.parse(point.restore_metadata) as Record<string, string>;
  if (normalize(`${path}/`) === normalize(`${own}/`)) return point.resource_arn;
  const { region } = job;
  const service = parseArn(point.resource_arn)?.service ?? "files";
  const arn = arnOf({ service, region, account, resource: `folder/${path.replace(/^\/+/, "")}` });
  const saved = await catalog.find(pointArnOf(point.account, point.region, point.id));
  const tags = job.copy_tags === 1 ? (saved?.tags ?? {}) : {};
  const [type = ""] = FOLDER_TYPES;
  if (job.testing_plan_arn === null)
    await catalog.put(
      { arn, type, name: basename(path), region, tags, details: { path } },
      { external: true },
    );
  return arn;
}

async function restoreTree(
  context: BackupContext,
  begun: Begun,
  metadata: Record<string, string>,
): Promise<void> {
  const { job, point, vault } = begun;
  const path = metadata[RESTORE_PATH] as string;
  const inPlace = metadata[IN_PLACE] === "true";
  await checkPlace(context, point, path, inPlace);
  const mutex = new Mutex();
  const transact: Transact = (work) => mutex.run(() => context.transact(work));
  await context.state.engine.restoreTree(
    {
      keys: keyMaterialOf(context, vault),
      root: point.root as string,
      roots: context.state.roots,
      path,
      inPlace,
      scratchName: scratchNameOf(job.id),
    },
    chunkSourceOf(context, mutex, placeOfPoint(point)),
    noteOf(job, transact),
  );
  await transact(async (inner) => complete(inner, begun, await restoredFolder(inner, begun, path)));
}

async function restoreStream(
  context: BackupContext,
  begun: Begun,
  metadata: Record<string, string>,
): Promise<void> {
  const { job, point, vault } = begun;
  const source = findStreamSource(context, point.resource_type);
  if (!source) throw new BackupSourceError(`Nobody offers restores of ${point.resource_type} any more.`);
  // The source opens its own transactions while chunks are prefetched.
  const reading = context.state.instance.workAs("backup", context.account) as BackupContext;
  const chunks = chunkSourceOf(reading, new Mutex(), placeOfPoint(point));
  const content = context.state.engine.restoreStream(
    { keys: keyMaterialOf(context, vault), root: point.root as string },
    chunks,
  );
  const saved = await context.catalog.find(pointArnOf(point.account, point.region, point.id));
  const atMs = restoreTimeOf(point, metadata);
  try {
    await source.restore(context, content, {
      resourceArn: point.resource_arn,
      metadata,
      saved: JSON.parse(point.restore_metadata) as Record<string, string>,
      tags: job.copy_tags === 1 ? (saved?.tags ?? {}) : {},
      withoutTags: job.copy_tags === WITHOUT_TAGS,
      ...(atMs !== undefined && { atMs }),
      done: (inner, arn) => complete(inner as BackupContext, begun, arn),
    });
  } finally {
    // A source that gives up in the middle leaves a thread waiting.
    await content.return(undefined);
  }
}

async function run(work: RestoreWork, context: BackupContext, { lastAttempt }: JobAttempt): Promise<void> {
  let begun: Begun | undefined;
  try {
    begun = await context.transact((inner) => begin(inner, work));
    if (!begun) return;
    const metadata = JSON.parse(begun.job.metadata) as Record<string, string>;
    if (begun.point.resource_type === FOLDER) await restoreTree(context, begun, metadata);
    else await restoreStream(context, begun, metadata);
  } catch (error) {
    const end = findEnd(error) ?? (lastAttempt ? internalError(error) : undefined);
    if (!end) throw error;
    const key = { account: context.account, region: work.region, id: work.jobId };
    await context.transact((inner) => fail(inner, key, end));
    if (begun?.point.resource_type === FOLDER) await clearScratch(context, begun.job);
  }
}

export const runRestore = jobsFor<Tables, State>()({
  name: "backup.run-restore",
  transaction: "manual",
  attemptsMax: ATTEMPTS_MAX,
  payload: RestoreWork,
  run,
});
