/**
 * Runs a backup job: reads the resource, stores the chunks that the vault lacks, and creates the recovery
 * point.
 */

import { type Static, Type } from "@sinclair/typebox";
import { BackupSourceError, IN_PLACE } from "#kernel/backups";
import type { CatalogEntry } from "#kernel/catalog";
import { type JobAttempt, jobsFor } from "#kernel/operation";
import type { BackupContext, State } from "../state.ts";
import type { ProgressReport } from "../storage/engine.ts";
import type { Stored } from "../storage/work.ts";
import {
  findBackupJob,
  findContinuous,
  findLatestWhole,
  getBackupJob,
  getVault,
  updateBackupJob,
  updatePoint,
} from "../store/index.ts";
import type { BackupJobRow, PointRow, Tables, VaultRow } from "../tables/index.ts";
import { keptFrom, planExtension } from "./continuous.ts";
import { sweepLater } from "./delete-point.ts";
import { askForIndex, canBeIndexed } from "./index-point.ts";
import { planLifecycle } from "./lifecycle.ts";
import { addPoint, inheritedTags, pointOf } from "./new-point.ts";
import { notifyVault } from "./notify.ts";
import {
  aborted,
  denied,
  ENDED,
  type End,
  endBackup,
  expired,
  findEnd,
  internalError,
  StoppedError,
} from "./outcome.ts";
import { requestCopies } from "./request-copy.ts";
import { isRoleAllowed } from "./roles.ts";
import { FOLDER, findPath, findStreamSource, RESTORE_PATH } from "./sources.ts";
import { isVaultOpenTo, roleVisitor } from "./vault-access.ts";
import { chunkSinkOf, chunkSourceOf, keyMaterialOf, Mutex, placeOf, readLocked } from "./vault-storage.ts";

export const BackupWork = Type.Object({ region: Type.String(), jobId: Type.String() });
type BackupWork = Static<typeof BackupWork>;
const ATTEMPTS_MAX = 5;
const NOTED_EVERY_MS = 300;

type Begun = {
  readonly job: BackupJobRow;
  readonly vault: VaultRow;
  readonly entry: CatalogEntry;
  readonly earlier: PointRow | undefined;
};

/** Why it may not begin; undefined when it may. */
async function findObstacle(
  context: BackupContext,
  job: BackupJobRow,
  vault: VaultRow,
): Promise<End | undefined> {
  if (job.state === "ABORTING") return aborted;
  if (job.begun_at === null && context.clock.nowMs() > job.start_by) return expired("start");
  if (!(await isRoleAllowed(context, job.role_arn, "backup:StartBackupJob")))
    return denied(`The role ${job.role_arn} may not make backups.`);
  if (!isVaultOpenTo(vault, roleVisitor(job.account, job.role_arn), "backup:StartBackupJob"))
    return denied(`The access policy of the backup vault ${vault.name} keeps the role ${job.role_arn} out.`);
  return undefined;
}

/** In a transaction. Returns undefined if there is nothing left to do. */
async function begin(context: BackupContext, { region, jobId }: BackupWork): Promise<Begun | undefined> {
  const { db, account, clock, ids } = context;
  const job = await findBackupJob(db, account, region, jobId);
  if (!job || ENDED.includes(job.state)) return undefined;
  const vault = await getVault(db, account, region, job.vault);
  const obstacle = await findObstacle(context, job, vault);
  if (obstacle) {
    await endBackup(context, job, obstacle);
    return undefined;
  }
  const entry = await context.catalog.find(job.resource_arn);
  if (!entry) {
    const message = `There is no resource ${job.resource_arn} any more.`;
    await endBackup(context, job, { state: "FAILED", message, category: "InvalidParameters" });
    return undefined;
  }
  const earlier =
    job.resource_type === FOLDER
      ? await findLatestWhole(db, account, region, vault.id, job.resource_arn)
      : undefined;
  await sweepLater(context, placeOf(vault), job.holder);
  const changes = {
    state: "PENDING",
    begun_at: job.begun_at ?? clock.nowMs(),
    holder: ids.uuid(),
    earlier_holder: earlier?.holder ?? null,
  };
  await updateBackupJob(db, job, changes);
  if (job.begun_at === null)
    await notifyVault(context, {
      region,
      vaultName: vault.name,
      events: ["BACKUP_JOB_STARTED"],
      message: "The backup job has begun.",
      about: { BackupJobId: job.id, ResourceArn: job.resource_arn },
    });
  return { job: { ...job, ...changes }, vault, entry, earlier };
}

/** Records the progress of the job, and stops it when required. */
class Following {
  readonly #context: BackupContext;
  readonly #mutex: Mutex;
  readonly #job: BackupJobRow;
  #notedAt = 0;
  constructor(context: BackupContext, mutex: Mutex, job: BackupJobRow) {
    this.#context = context;
    this.#mutex = mutex;
    this.#job = job;
  }
  async note({ bytes, bytesTotal, newBytes }: ProgressReport): Promise<void> {
    const now = performance.now();
    if (now - this.#notedAt < NOTED_EVERY_MS) return;
    this.#notedAt = now;
    const { account, region, id, complete_by } = this.#job;
    await this.#mutex.run(() =>
      this.#context.transact(async ({ db, clock }) => {
        const { state, holder } = await getBackupJob(db, account, region, id);
        if (holder !== this.#job.holder || ENDED.includes(state)) throw new StoppedError(aborted);
        if (state === "ABORTING") throw new StoppedError(aborted);
        if (clock.nowMs() > complete_by) throw new StoppedError(expired("completion"));
        // 100 percent is reached only when the recovery point exists.
        const percent = bytesTotal === 0 ? 0 : Math.min(99.9, (100 * bytes) / bytesTotal);
        await updateBackupJob(db, this.#job, { state: "RUNNING", percent, transferred: newBytes });
      }),
    );
  }
}

type Read = {
  readonly stored: Stored;
  readonly content: string;
  readonly metadata: Readonly<Record<string, string>>;
};

async function read(context: BackupContext, begun: Begun, following: Following, mutex: Mutex): Promise<Read> {
  const { job, vault, entry, earlier } = begun;
  const { engine, roots } = context.state;
  const keys = keyMaterialOf(context, vault);
  const transact = <T>(work: (inner: BackupContext) => Promise<T>) => mutex.run(() => context.transact(work));
  const place = placeOf(vault);
  const storage = {
    ...chunkSinkOf(context, transact, place, job.holder as string),
    ...chunkSourceOf(context, mutex, place),
  };
  const path = findPath(entry);
  if (job.resource_type === FOLDER) {
    if (path === undefined) throw new BackupSourceError(`details.path of ${entry.arn} is gone.`);
    const task = { keys, roots, path, earlierRoot: earlier?.root ?? undefined };
    const stored = await engine.backupTree(task, storage, (report) => following.note(report));
    return { stored, content: "tree", metadata: { [RESTORE_PATH]: path, [IN_PLACE]: "true" } };
  }
  const source = findStreamSource(context, job.resource_type);
  if (!source) throw new BackupSourceError(`Nobody offers backups of ${job.resource_type} any more.`);
  const metadata = await mutex.run(() => source.restoreMetadata(context, entry));
  const parts = readLocked(source.read(context, entry), mutex);
  const stored = await engine.backupStream(keys, storage, parts, (bytes) =>
    following.note({ bytes, bytesTotal: 0, newBytes: bytes }),
  );
  return { stored, content: "stream", metadata };
}

/** Unreadable files make a point partial, unless the backup was told to skip them. */
function endOf(job: BackupJobRow, { skipped, skippedCount }: Stored): End {
  const { SkipUnreadable = "disabled" } = JSON.parse(job.options) as Record<string, string>;
  if (skippedCount === 0) return { state: "COMPLETED", category: "SUCCESS" };
  const named = skipped.map(({ path, why }) => `${JSON.stringify(path)}: ${why}`).join("; ");
  const message = `${skippedCount} of its items could not be backed up as they are. ${named}`;
  return SkipUnreadable === "enabled"
    ? { state: "COMPLETED", message, category: "SUCCESS" }
    : { state: "PARTIAL", message, category: "UnreadableItems" };
}

/** A vault has at most one continuous point for a resource. It then holds the newest content. */
async function finish(
  context: BackupContext,
  { job, vault }: Begun,
  { stored, content, metadata }: Read,
): Promise<void> {
  const { db, account, clock } = context;
  const now = await getBackupJob(db, account, job.region, job.id);
  if (now.holder !== job.holder || ENDED.includes(now.state)) return;
  if (now.state === "ABORTING") return endBackup(context, job, aborted);
  const nowMs = clock.nowMs();
  if (nowMs > job.complete_by) return endBackup(context, job, expired("completion"));
  const end = endOf(job, stored);
  const isContinuous = job.continuous === 1;
  const made: PointRow = {
    ...pointOf(job, vault.id, nowMs),
    root: stored.root,
    content,
    kind: isContinuous ? "CONTINUOUS" : "SNAPSHOT",
    known_until: isContinuous ? nowMs : null,
    status: end.state,
    message: end.message ?? null,
    size: stored.bytes,
    restore_metadata: JSON.stringify(metadata),
    parent_id: await findParentPoint(context, job),
  };
  const before = isContinuous
    ? await findContinuous(db, account, job.region, vault.id, job.resource_arn)
    : undefined;
  const point = before ? await extend(context, vault, before, made) : made;
  if (!before) await addPoint(context, point, await inheritedTags(context, job));
  if (isContinuous) await planExtension(context, point);
  if (job.indexed === 1 && canBeIndexed(point)) await askForIndex(context, point);
  await endBackup(context, job, end, {
    percent: 100,
    size: stored.bytes,
    transferred: stored.bytes,
    point_id: point.id,
  });
  await requestCopies(context, job, point);
}
async function extend(
  context: BackupContext,
  vault: VaultRow,
  before: PointRow,
  { root, holder, known_until, size }: PointRow,
): Promise<PointRow> {
  const renewed = { root, holder, size, ...keptFrom(before, known_until ?? context.clock.nowMs()) };
  await updatePoint(context.db, before, renewed);
  await sweepLater(context, placeOf(vault), before.holder);
  await planLifecycle(context, { ...before, ...renewed });
  return { ...before, ...renewed };
}
async function findParentPoint({ db, account }: BackupContext, job: BackupJobRow): Promise<string | null> {
  if (job.parent_id === null) return null;
  return (await findBackupJob(db, account, job.region, job.parent_id))?.point_id ?? null;
}

async function run(work: BackupWork, context: BackupContext, { lastAttempt }: JobAttempt): Promise<void> {
  const begun = await context.transact((inner) => begin(inner, work));
  if (!begun) return;
  const mutex = new Mutex();
  try {
    const result = await read(context, begun, new Following(context, mutex, begun.job), mutex);
    await mutex.run(() => context.transact((inner) => finish(inner, begun, result)));
  } catch (error) {
    const end = findEnd(error) ?? (lastAttempt ? internalError(error) : undefined);
    if (!end) throw error;
    await mutex.run(() => context.transact((inner) => endBackup(inner, begun.job, end)));
  }
}

export const runBackup = jobsFor<Tables, State>()({
  name: "backup.run-backup",
  transaction: "manual",
  sharesCommits: true,
  attemptsMax: ATTEMPTS_MAX,
  payload: BackupWork,
  run,
});
