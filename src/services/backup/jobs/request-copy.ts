/** A recovery point is to be copied to another vault: of this account and region, or of others. */
import { ServiceError } from "#kernel/operation";
import {
  checkLifecycle,
  checkRole,
  findRetentionProblem,
  findVaultIn,
  type Lifecycle,
  pointArnOf,
  vaultArnOf,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { BackupContext } from "../state.ts";
import { findCopyJobByToken, findVault, insertCopyJob, listPoints } from "../store/index.ts";
import type { BackupJobRow, CopyJobRow, PointRow, VaultRow } from "../tables/index.ts";
import { isCrossAccountAllowed } from "./cross-account.ts";
import { type CopyAction, NOT_STARTED } from "./requests.ts";
import { runCopy } from "./run-copy.ts";
import { isVaultOpenTo, roleVisitor } from "./vault-access.ts";

const CHILDREN_MAX = 500;

export type CopyRequest = {
  readonly region: string;
  readonly point: PointRow;
  readonly destinationVaultArn: string;
  readonly roleArn: string;
  readonly lifecycle?: Lifecycle | undefined;
  readonly idempotencyToken?: string | undefined;
};

/** The vault may be another account's, where settings and its policy allow that. */
async function getDestination(
  context: BackupContext,
  { destinationVaultArn: arn, roleArn }: CopyRequest,
): Promise<VaultRow> {
  const { db, account } = context;
  const named = findVaultIn(arn);
  if (!named) throw errors.invalidParameterValue(`${arn} is not the ARN of a backup vault.`);
  if (named.account !== account && !(await isCrossAccountAllowed(context, named.account)))
    throw errors.invalidRequest("Copies to other accounts are not enabled in the global settings.");
  const vault = await findVault(db, named.account, named.region, named.name);
  if (!vault) throw errors.notFound(`There is no backup vault ${arn}.`);
  if (!isVaultOpenTo(vault, roleVisitor(account, roleArn), "backup:CopyIntoBackupVault"))
    throw errors.accessDenied(`The access policy of ${arn} does not let ${roleArn} copy into it.`);
  return vault;
}
function checkRetention(vault: VaultRow, lifecycle: Lifecycle): void {
  if (vault.locked === 0) return;
  const bounds = { minDays: vault.min_days ?? undefined, maxDays: vault.max_days ?? undefined };
  const problem = findRetentionProblem(lifecycle, bounds);
  if (problem) throw errors.invalidParameterValue(problem);
}
function checkPoint(point: PointRow): void {
  if (point.status === "DELETING" || point.status === "EXPIRED")
    throw errors.invalidRequest(`The recovery point is ${point.status}, so that it cannot be copied.`);
}

const rowOf = (context: BackupContext, request: CopyRequest, lifecycle: Lifecycle): CopyJobRow => {
  const { point, region } = request;
  return {
    account: context.account,
    region,
    id: context.ids.uuid(),
    source_vault_arn: vaultArnOf(point.account, point.region, point.vault),
    source_point_arn: pointArnOf(point.account, point.region, point.id),
    destination_vault_arn: request.destinationVaultArn,
    point_id: context.ids.uuid(),
    holder: null,
    source_holder: null,
    resource_arn: point.resource_arn,
    resource_type: point.resource_type,
    resource_name: point.resource_name,
    role_arn: request.roleArn,
    ...NOT_STARTED,
    created_by: point.created_by,
    lifecycle: JSON.stringify(lifecycle),
    parent_id: null,
    is_parent: point.is_parent,
    member: point.member,
    token: request.idempotencyToken ?? null,
    created_at: context.clock.nowMs(),
    completed_at: null,
  };
};
const start = (context: BackupContext, { region, id }: CopyJobRow): Promise<string> =>
  context.enqueue(runCopy, { region, jobId: id }, { key: `copy:${region}:${id}` });

/** In the caller's transaction. */
export async function requestCopy(context: BackupContext, request: CopyRequest): Promise<CopyJobRow> {
  const { db, account } = context;
  const { region, point, idempotencyToken } = request;
  if (idempotencyToken !== undefined) {
    const earlier = await findCopyJobByToken(db, account, region, idempotencyToken);
    if (earlier) return earlier;
  }
  checkRole(request.roleArn, account);
  checkPoint(point);
  const lifecycle = checkLifecycle(request.lifecycle);
  checkRetention(await getDestination(context, request), lifecycle);
  const row = rowOf(context, request, lifecycle);
  await insertCopyJob(db, row);
  if (point.is_parent === 1) await requestChildren(context, request, row);
  await start(context, row);
  return row;
}
async function requestChildren(
  context: BackupContext,
  request: CopyRequest,
  parent: CopyJobRow,
): Promise<void> {
  const { db, account } = context;
  const { point } = request;
  const children = await listPoints(
    db,
    account,
    point.region,
    { parentId: point.id },
    { limit: CHILDREN_MAX },
  );
  for (const child of children) {
    const lifecycle = JSON.parse(parent.lifecycle) as Lifecycle;
    const row = {
      ...rowOf(context, { ...request, point: child }, lifecycle),
      parent_id: parent.id,
      token: null,
    };
    await insertCopyJob(db, row);
    await start(context, row);
  }
}

/**
 * Starts the copies that the rule of the point demands. A copy that is impossible becomes a failed job with
 * the reason.
 */
export async function requestCopies(
  context: BackupContext,
  job: BackupJobRow,
  point: PointRow,
): Promise<void> {
  for (const { destinationVaultArn, lifecycle } of JSON.parse(job.copies) as CopyAction[]) {
    const request = { region: job.region, point, destinationVaultArn, roleArn: job.role_arn, lifecycle };
    await requestCopy(context, request).catch(async (error) => {
      if (!(error instanceof ServiceError)) throw error;
      await insertCopyJob(context.db, {
        ...rowOf(context, request, lifecycle ?? {}),
        state: "FAILED",
        message: error.message,
        message_category: "InvalidParameters",
        completed_at: context.clock.nowMs(),
      });
    });
  }
}
