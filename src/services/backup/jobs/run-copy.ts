/** A copy job at work: opens each chunk with the one vault's key and seals it with the other's. */
import { type Static, Type } from "@sinclair/typebox";
import { type JobAttempt, jobsFor } from "#kernel/operation";
import { findPointIn, findVaultIn, type Lifecycle, pointArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { BackupContext, State } from "../state.ts";
import type { ProgressReport } from "../storage/engine.ts";
import type { Stored } from "../storage/work.ts";
import {
  countChildren,
  findCopyJob,
  findPoint,
  findVault,
  getCopyJob,
  getVault,
  type JobKey,
  updateCopyJob,
} from "../store/index.ts";
import type { CopyJobRow, PointRow, Tables, VaultRow } from "../tables/index.ts";
import { sweepLater } from "./delete-point.ts";
import { addPoint, lifecycleColumns, NOT_INDEXED } from "./new-point.ts";
import { notifyVault } from "./notify.ts";
import { findEnd, internalError } from "./outcome.ts";
import { isVaultOpenTo, roleVisitor } from "./vault-access.ts";
import {
  chunkSinkOf,
  chunkSourceOf,
  keyMaterialOf,
  Mutex,
  placeOf,
  placeOfPoint,
  streamedBytesOf,
  type Transact,
} from "./vault-storage.ts";

const CopyWork = Type.Object({ region: Type.String(), jobId: Type.String() });
type CopyWork = Static<typeof CopyWork>;
const ENDED: readonly string[] = ["COMPLETED", "FAILED", "PARTIAL"];
const ATTEMPTS_MAX = 5;
const NOTED_EVERY_MS = 300;

type End = {
  readonly state: "COMPLETED" | "FAILED" | "PARTIAL";
  readonly message?: string;
  readonly category: string;
};
type Begun = {
  readonly job: CopyJobRow;
  readonly point: PointRow;
  readonly from: VaultRow;
  readonly to: VaultRow;
};

async function getPlaces({ db }: BackupContext, job: CopyJobRow): Promise<Omit<Begun, "job">> {
  const named = findPointIn(job.source_point_arn);
  const point = named && (await findPoint(db, named.account, named.region, named.name));
  if (!point || point.status === "DELETING")
    throw errors.notFound(`There is no recovery point ${job.source_point_arn} any more.`);
  const place = findVaultIn(job.destination_vault_arn);
  const to = place && (await findVault(db, place.account, place.region, place.name));
  if (!to) throw errors.notFound(`There is no backup vault ${job.destination_vault_arn} any more.`);
  if (!isVaultOpenTo(to, roleVisitor(job.account, job.role_arn), "backup:CopyIntoBackupVault"))
    throw errors.accessDenied(`The access policy of ${job.destination_vault_arn} keeps ${job.role_arn} out.`);
  return { point, from: await getVault(db, point.account, point.region, point.vault), to };
}

/** In a transaction. */
async function begin(context: BackupContext, { region, jobId }: CopyWork): Promise<Begun | undefined> {
  const { db, account, ids } = context;
  const job = await findCopyJob(db, account, region, jobId);
  if (!job || ENDED.includes(job.state)) return undefined;
  const places = await getPlaces(context, job);
  await sweepLater(context, placeOf(places.to), job.holder);
  const changes = {
    state: "RUNNING",
    holder: job.is_parent === 1 ? null : ids.uuid(),
    source_holder: places.point.holder,
  };
  await updateCopyJob(db, job, changes);
  if (job.state === "CREATED") await tell(context, job, "COPY_JOB_STARTED", "The copy job has begun.");
  return { ...places, job: { ...job, ...changes } };
}
async function tell(context: BackupContext, job: CopyJobRow, event: string, message: string): Promise<void> {
  const source = findVaultIn(job.source_vault_arn);
  if (!source) return;
  const about = { CopyJobId: job.id, ResourceArn: job.resource_arn };
  await notifyVault(context, {
    region: source.region,
    vaultName: source.name,
    events: [event],
    message,
    about,
  });
}

/** In a transaction of the job's account. */
async function end(
  context: BackupContext,
  key: JobKey,
  { state, message, category }: End,
  changes: Partial<CopyJobRow> = {},
): Promise<void> {
  const { db, clock } = context;
  const job = await getCopyJob(db, key.account, key.region, key.id);
  if (ENDED.includes(job.state)) return;
  await updateCopyJob(db, key, {
    state,
    message: message ?? null,
    message_category: category,
    completed_at: clock.nowMs(),
    holder: null,
    source_holder: null,
    ...changes,
  });
  await tell(
    context,
    job,
    state === "FAILED" ? "COPY_JOB_FAILED" : "COPY_JOB_SUCCESSFUL",
    message ?? `The copy job ended: ${state}.`,
  );
  if (state === "FAILED") {
    const place = findVaultIn(job.destination_vault_arn);
    const vault = place && (await findVault(db, place.account, place.region, place.name));
    if (vault) await sweepLater(context, placeOf(vault), job.holder);
  }
  if (job.parent_id !== null)
    await context.enqueue(
      runCopy,
      { region: key.region, jobId: job.parent_id },
      { key: `copy:${key.region}:${job.parent_id}` },
    );
}

const transactIn =
  ({ state, account }: BackupContext, vault: VaultRow, transact: Transact): Transact =>
  (work) =>
    vault.account === account
      ? transact(work)
      : state.instance.transactAs("backup", vault.account, (inner) => work(inner as BackupContext));

function copiedPoint(
  { job, point, to }: Begun,
  stored: Pick<Stored, "root" | "bytes"> | undefined,
  nowMs: number,
): PointRow {
  return {
    ...point,
    account: to.account,
    region: to.region,
    id: job.point_id,
    vault: to.name,
    vault_id: to.id,
    holder: job.holder ?? "",
    next_holder: null,
    root: stored?.root ?? null,
    kind: "SNAPSHOT",
    known_until: null,
    source_vault_arn: job.source_vault_arn,
    role_arn: job.role_arn,
    ...lifecycleColumns(JSON.parse(job.lifecycle) as Lifecycle, nowMs),
    storage_class: "WARM",
    restored_at: null,
    ...NOT_INDEXED,
    created_at: nowMs,
    completed_at: nowMs,
  };
}

async function move(context: BackupContext, begun: Begun): Promise<void> {
  const { job, point, from, to } = begun;
  const mutex = new Mutex();
  const own: Transact = (work) => mutex.run(() => context.transact(work));
  const there = transactIn(context, to, own);
  let notedAt = 0;
  const note = async ({ bytes, bytesTotal }: ProgressReport): Promise<void> => {
    if (performance.now() - notedAt < NOTED_EVERY_MS) return;
    notedAt = performance.now();
    const percent = bytesTotal === 0 ? 0 : Math.min(99.9, (100 * bytes) / bytesTotal);
    await own((inner) => updateCopyJob(inner.db, job, { percent }));
  };
  const stored = await context.state.engine.copy(
    {
      keys: keyMaterialOf(context, from),
      destination: keyMaterialOf(context, to),
      root: point.root as string,
      bytes: streamedBytesOf(point),
    },
    chunkSourceOf(context, mutex, placeOfPoint(point)),
    chunkSinkOf(context, there, placeOf(to), job.holder as string),
    note,
  );
  const parentPoint = await own((inner) => findParentPoint(inner, job));
  const tags =
    (await mutex.run(() => context.catalog.find(pointArnOf(point.account, point.region, point.id))))?.tags ??
    {};
  const isMade = await there(async (inner) => {
    const { holder, state } = await getCopyJob(inner.db, job.account, job.region, job.id);
    if (holder !== job.holder || ENDED.includes(state)) return false;
    // An attempt that was killed right here has made it already.
    if (await findPoint(inner.db, to.account, to.region, job.point_id)) return true;
    await addPoint(
      inner,
      { ...copiedPoint(begun, stored, inner.clock.nowMs()), parent_id: parentPoint },
      tags,
    );
    return true;
  });
  if (isMade)
    await own((inner) =>
      end(inner, job, { state: "COMPLETED", category: "SUCCESS" }, { percent: 100, size: stored.bytes }),
    );
}
async function findParentPoint({ db, account }: BackupContext, job: CopyJobRow): Promise<string | null> {
  if (job.parent_id === null) return null;
  return (await findCopyJob(db, account, job.region, job.parent_id))?.point_id ?? null;
}

/** A parent looks at its children whenever one of them has ended. */
async function settle(context: BackupContext, begun: Begun): Promise<void> {
  const { job, to } = begun;
  const counts = await context.transact((inner) =>
    countChildren(inner.db, job.account, job.region, "backup_copy_job", job.id),
  );
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const ended = ENDED.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  const whole = counts.COMPLETED ?? 0;
  if (ended < total) {
    await context.transact((inner) => updateCopyJob(inner.db, job, { percent: (100 * ended) / total }));
    return;
  }
  if (whole === 0) {
    const message = "None of its child jobs succeeded.";
    return context.transact((inner) => end(inner, job, { state: "FAILED", message, category: "ChildJobs" }));
  }
  await transactIn(context, to, (work) => context.transact(work))(async (inner) => {
    if (await findPoint(inner.db, to.account, to.region, job.point_id)) return;
    await addPoint(inner, copiedPoint(begun, undefined, inner.clock.nowMs()), {});
  });
  const message = "Not every child job succeeded.";
  const outcome: End =
    whole === total
      ? { state: "COMPLETED", category: "SUCCESS" }
      : { state: "PARTIAL", message, category: "ChildJobs" };
  await context.transact((inner) => end(inner, job, outcome, { percent: 100, size: begun.point.size }));
}

async function run(work: CopyWork, context: BackupContext, { lastAttempt }: JobAttempt): Promise<void> {
  try {
    const begun = await context.transact((inner) => begin(inner, work));
    if (begun?.job.is_parent === 1) await settle(context, begun);
    else if (begun) await move(context, begun);
  } catch (error) {
    const found = findEnd(error) ?? (lastAttempt ? internalError(error) : undefined);
    if (!found) throw error;
    const { message, category } = found;
    const key = { account: context.account, region: work.region, id: work.jobId };
    await context.transact((inner) =>
      end(inner, key, { state: "FAILED", category, ...(message !== undefined && { message }) }),
    );
  }
}

export const runCopy = jobsFor<Tables, State>()({
  name: "backup.run-copy",
  transaction: "manual",
  sharesCommits: true,
  attemptsMax: ATTEMPTS_MAX,
  payload: CopyWork,
  run,
});
