/** The end of a backup job: updates its row and its parent, notifies subscribers, and cleans up. */
import { BackupSourceError } from "#kernel/backups";
import { kernelErrors, ServiceError, sameKind } from "#kernel/operation";
import type { BackupContext } from "../state.ts";
import { StorageError } from "../storage/engine.ts";
import {
  countChildren,
  findBackupJob,
  findVault,
  getBackupJob,
  type JobKey,
  listBackupJobs,
  updateBackupJob,
} from "../store/index.ts";
import type { BackupJobRow, PointRow } from "../tables/index.ts";
import { sweepLater } from "./delete-point.ts";
import { addPoint, inheritedTags, pointOf } from "./new-point.ts";
import { notifyVault } from "./notify.ts";

export type End = {
  readonly state: "COMPLETED" | "PARTIAL" | "FAILED" | "ABORTED" | "EXPIRED";
  readonly message?: string;
  readonly category: string;
};
export const ENDED: readonly string[] = ["COMPLETED", "PARTIAL", "FAILED", "ABORTED", "EXPIRED"];

/** The job must stop: a user stopped it, or its window has ended. */
export class StoppedError extends Error {
  readonly end: End;
  constructor(end: End) {
    super(end.message ?? end.state);
    this.end = end;
  }
}
export const aborted: End = { state: "ABORTED", message: "The job was stopped.", category: "Aborted" };
export const expired = (window: "start" | "completion"): End => ({
  state: "EXPIRED",
  message:
    window === "start"
      ? "The job could not begin within its start window."
      : "The job could not end within its completion window.",
  category: "Expired",
});
export const denied = (message: string): End => ({ state: "FAILED", message, category: "AccessDenied" });

/** The message of a final error. Returns undefined for errors that a retry may solve. */
export function findEnd(error: unknown): End | undefined {
  if (error instanceof StoppedError) return error.end;
  // The object store, or another part of the process, is away.
  if (error instanceof ServiceError && sameKind(error.kind, kernelErrors.unavailable)) return undefined;
  if (error instanceof BackupSourceError || error instanceof ServiceError)
    return { state: "FAILED", message: error.message, category: "InvalidParameters" };
  if (error instanceof StorageError)
    return {
      state: "FAILED",
      message: error.message,
      category: error.failure.kind === "damaged" ? "DamagedContent" : "InvalidParameters",
    };
  return undefined;
}
export const internalError = (error: unknown): End => ({
  state: "FAILED",
  message: `The job failed: ${error instanceof Error ? error.message : String(error)}`,
  category: "InternalError",
});

const EVENTS: Readonly<Record<End["state"], readonly string[]>> = {
  COMPLETED: ["BACKUP_JOB_COMPLETED", "BACKUP_JOB_SUCCESSFUL"],
  PARTIAL: ["BACKUP_JOB_COMPLETED"],
  FAILED: ["BACKUP_JOB_COMPLETED", "BACKUP_JOB_FAILED"],
  ABORTED: ["BACKUP_JOB_COMPLETED"],
  EXPIRED: ["BACKUP_JOB_COMPLETED", "BACKUP_JOB_EXPIRED"],
};

/** In a transaction. */
export async function endBackup(
  context: BackupContext,
  key: JobKey,
  { state, message, category }: End,
  changes: Partial<BackupJobRow> = {},
): Promise<void> {
  const { db, clock } = context;
  const job = await getBackupJob(db, key.account, key.region, key.id);
  if (ENDED.includes(job.state)) return;
  await updateBackupJob(db, key, {
    state,
    message: message ?? null,
    message_category: category,
    completed_at: clock.nowMs(),
    holder: null,
    earlier_holder: null,
    ...changes,
  });
  const isMade = state === "COMPLETED" || state === "PARTIAL";
  const vault = isMade ? undefined : await findVault(db, job.account, job.region, job.vault);
  if (vault) await sweepLater(context, { account: job.account, vaultId: vault.id }, job.holder);
  await notifyVault(context, {
    region: job.region,
    vaultName: job.vault,
    events: EVENTS[state],
    message: message ?? `The backup job ended: ${state}.`,
    about: { BackupJobId: job.id, ResourceArn: job.resource_arn },
  });
  if (job.parent_id !== null) await settleParent(context, { ...key, id: job.parent_id });
}

/** A parent ends with its last child. Its state follows from the states of all children. */
async function settleParent(context: BackupContext, key: JobKey): Promise<void> {
  const { db } = context;
  const parent = await findBackupJob(db, key.account, key.region, key.id);
  if (!parent || ENDED.includes(parent.state)) return;
  const counts = await countChildren(db, key.account, key.region, "backup_job", key.id);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const ended = ENDED.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  if (ended < total) {
    await updateBackupJob(db, key, { percent: (100 * ended) / total });
    return;
  }
  const whole = counts.COMPLETED ?? 0;
  const made = whole + (counts.PARTIAL ?? 0);
  if (made === 0) {
    const end = parent.state === "ABORTING" ? aborted : undefined;
    await endBackup(
      context,
      key,
      end ?? { state: "FAILED", message: "None of its child jobs succeeded.", category: "ChildJobs" },
    );
    return;
  }
  await completeParent(context, parent, whole === total);
}
async function completeParent(context: BackupContext, parent: BackupJobRow, isWhole: boolean): Promise<void> {
  const { db, clock } = context;
  const vault = await findVault(db, parent.account, parent.region, parent.vault);
  if (!vault) return;
  const size = await sumOfChildren(context, parent);
  const point: PointRow = {
    ...pointOf(parent, vault.id, clock.nowMs()),
    status: isWhole ? "COMPLETED" : "PARTIAL",
    message: isWhole ? null : "Not every child job succeeded.",
    size,
    is_parent: 1,
  };
  await addPoint(context, point, await inheritedTags(context, parent));
  await endBackup(
    context,
    parent,
    isWhole
      ? { state: "COMPLETED", category: "SUCCESS" }
      : { state: "PARTIAL", message: "Not every child job succeeded.", category: "ChildJobs" },
    { percent: 100, size },
  );
}
async function sumOfChildren({ db }: BackupContext, parent: BackupJobRow): Promise<number> {
  const children = await listBackupJobs(
    db,
    parent.account,
    parent.region,
    { parentId: parent.id },
    { limit: 1000 },
  );
  return children.reduce((sum, { size }) => sum + Number(size ?? 0), 0);
}
