/** Requests a backup, for a caller or for a due plan. */
import { BackupSourceError } from "#kernel/backups";
import type { CatalogEntry } from "#kernel/catalog";
import { ServiceError } from "#kernel/operation";
import {
  checkContinuous,
  checkLifecycle,
  checkRole,
  checkTags,
  findRetentionProblem,
  type Lifecycle,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { BackupContext } from "../state.ts";
import { findBackupJobByToken, getVault, hasContinuousEnded, insertBackupJob } from "../store/index.ts";
import type { BackupJobRow, VaultRow } from "../tables/index.ts";
import { type BackupRequest, NOT_STARTED } from "./requests.ts";
import { runBackup } from "./run-backup.ts";
import { runParent } from "./run-parent.ts";
import { FOLDER, findPath, findStreamSource, STACK, sourcesOf } from "./sources.ts";
import { isVaultOpenTo, roleVisitor } from "./vault-access.ts";
import { COMPLETION_WINDOW_MINUTES, MINUTE_MS, START_WINDOW_MINUTES } from "./windows.ts";

const START_WINDOW_MINUTES_MIN = 60;

type Subject = { readonly resourceType: string; readonly name: string; readonly keepsHistory: boolean };

/** A stack is defined by the tag on its resources. It need not be in the catalogue itself. */
async function findStack(context: BackupContext, region: string, arn: string): Promise<Subject | undefined> {
  const { resources } = await context.catalog.pageOf({ region, stack: arn }, { limit: 1 });
  if (resources.length === 0) return undefined;
  return { resourceType: STACK, name: arn.split("/").at(-2) ?? arn, keepsHistory: false };
}
function subjectOf(context: BackupContext, entry: CatalogEntry): Subject {
  const kind = sourcesOf(context).findByType(entry.type);
  if (!kind)
    throw errors.invalidParameterValue(
      `Resources of the type ${entry.type} cannot be backed up: ${entry.arn}.`,
    );
  if (kind.resourceType === FOLDER && findPath(entry) === undefined)
    throw errors.invalidParameterValue(`details.path of ${entry.arn} does not say where the folder is.`);
  const keepsHistory = findStreamSource(context, kind.resourceType)?.keepsHistory === true;
  return { resourceType: kind.resourceType, name: entry.name, keepsHistory };
}
async function getSubject(context: BackupContext, region: string, arn: string): Promise<Subject> {
  const entry = await context.catalog.find(arn);
  if (entry && sourcesOf(context).findByType(entry.type)) return subjectOf(context, entry);
  const stack = await findStack(context, region, arn);
  if (stack) return stack;
  if (entry) return subjectOf(context, entry);
  throw errors.notFound(`There is no resource ${arn} in this account.`);
}

function checkVault(vault: VaultRow, lifecycle: Lifecycle): void {
  if (vault.type === "LOGICALLY_AIR_GAPPED_BACKUP_VAULT")
    throw errors.invalidRequest(`${vault.name} is air-gapped: recovery points come to it by copies alone.`);
  const bounds = { minDays: vault.min_days ?? undefined, maxDays: vault.max_days ?? undefined };
  const problem = vault.locked === 1 ? findRetentionProblem(lifecycle, bounds) : undefined;
  if (problem) throw errors.invalidParameterValue(problem);
}
function checkWindows({
  startWindowMinutes: start,
  completionWindowMinutes: completion,
}: BackupRequest): void {
  if (start !== undefined && start < START_WINDOW_MINUTES_MIN)
    throw errors.invalidParameterValue(
      `The start window must have ${START_WINDOW_MINUTES_MIN} minutes at least.`,
    );
  if (completion !== undefined && completion <= (start ?? START_WINDOW_MINUTES))
    throw errors.invalidParameterValue("The completion window must be longer than the start window.");
}

async function rowOf(
  context: BackupContext,
  request: BackupRequest,
  subject: Subject,
  lifecycle: Lifecycle,
): Promise<BackupJobRow> {
  const { account, clock, ids, db } = context;
  const { region, resourceArn, vaultName } = request;
  const createdAt = request.scheduledAtMs ?? clock.nowMs();
  const start = request.startWindowMinutes ?? START_WINDOW_MINUTES;
  const completion = request.completionWindowMinutes ?? COMPLETION_WINDOW_MINUTES;
  const isContinuous =
    request.continuous === true &&
    subject.keepsHistory &&
    !(await hasContinuousEnded(db, account, region, vaultName, resourceArn));
  return {
    account,
    region,
    id: ids.uuid(),
    vault: vaultName,
    resource_arn: resourceArn,
    resource_type: subject.resourceType,
    resource_name: subject.name,
    role_arn: request.roleArn,
    ...NOT_STARTED,
    transferred: 0,
    point_id: ids.uuid(),
    holder: null,
    earlier_holder: null,
    created_by: request.createdBy ? JSON.stringify(creatorOf(request.createdBy)) : null,
    start_by: createdAt + start * MINUTE_MS,
    complete_by: createdAt + completion * MINUTE_MS,
    lifecycle: JSON.stringify(lifecycle),
    tags: JSON.stringify(request.recoveryPointTags ?? {}),
    options: JSON.stringify(request.backupOptions ?? {}),
    copies: JSON.stringify(request.copyActions ?? []),
    continuous: isContinuous ? 1 : 0,
    indexed: request.index === true ? 1 : 0,
    parent_id: null,
    is_parent: subject.resourceType === STACK ? 1 : 0,
    member: null,
    token: request.idempotencyToken ?? null,
    created_at: createdAt,
    begun_at: null,
    completed_at: null,
  };
}
/** Members in the order that lists by plan rely on. */
const creatorOf = ({ planId, planArn, planVersion, ruleId }: NonNullable<BackupRequest["createdBy"]>) => ({
  planId,
  planArn,
  planVersion,
  ruleId,
});

async function accept(context: BackupContext, request: BackupRequest): Promise<BackupJobRow> {
  const { db, account } = context;
  const { region } = request;
  checkRole(request.roleArn, account);
  checkWindows(request);
  checkTags(request.recoveryPointTags ?? {});
  const lifecycle = checkLifecycle(request.lifecycle);
  const vault = await getVault(db, account, region, request.vaultName);
  checkVault(vault, lifecycle);
  const subject = await getSubject(context, region, request.resourceArn);
  if (request.continuous) checkContinuous(lifecycle);
  const row = await rowOf(context, request, subject, lifecycle);
  await insertBackupJob(db, row);
  await startBackup(context, row);
  return row;
}
export async function startBackup(
  context: BackupContext,
  { region, id, is_parent, created_at }: BackupJobRow,
) {
  const work = is_parent === 1 ? runParent : runBackup;
  const runAtMs = Math.max(created_at, context.clock.nowMs());
  await context.enqueue(work, { region, jobId: id }, { key: `backup:${region}:${id}`, runAtMs });
}

/** A plan has no caller to receive an error, so a failed job records it. */
async function reject(context: BackupContext, request: BackupRequest, why: string): Promise<BackupJobRow> {
  const entry = await context.catalog.find(request.resourceArn);
  const kind = entry && sourcesOf(context).findByType(entry.type);
  const subject = {
    resourceType: kind?.resourceType ?? "Unknown",
    name: entry?.name ?? request.resourceArn,
    keepsHistory: false,
  };
  const row: BackupJobRow = {
    ...(await rowOf(context, request, subject, request.lifecycle ?? {})),
    state: "FAILED",
    message: why,
    message_category: "InvalidParameters",
    completed_at: context.clock.nowMs(),
  };
  await insertBackupJob(context.db, row);
  return row;
}

/** In the caller's transaction. A request of a plan never throws; it creates a failed job instead. */
export async function requestBackup(context: BackupContext, request: BackupRequest): Promise<BackupJobRow> {
  const { db, account } = context;
  const { region, idempotencyToken } = request;
  if (idempotencyToken !== undefined) {
    const earlier = await findBackupJobByToken(db, account, region, idempotencyToken);
    if (earlier) return earlier;
  }
  if (!request.createdBy) return accept(context, request);
  try {
    const vault = await getVault(db, account, region, request.vaultName);
    if (!isVaultOpenTo(vault, roleVisitor(account, request.roleArn), "backup:StartBackupJob"))
      throw errors.accessDenied(`The vault's access policy keeps the role ${request.roleArn} out.`);
    return await accept(context, request);
  } catch (error) {
    if (error instanceof ServiceError || error instanceof BackupSourceError)
      return reject(context, request, error.message);
    throw error;
  }
}
