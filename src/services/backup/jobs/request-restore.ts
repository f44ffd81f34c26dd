/** A recovery point is to become a resource again. */
import { checkRole, findPointIn, pointArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { BackupContext } from "../state.ts";
import { findPointByArn, findRestoreJobByToken, insertRestoreJob } from "../store/index.ts";
import { type PointRow, type RestoreJobRow, WITHOUT_TAGS } from "../tables/index.ts";
import type { RestoreWish } from "./requests.ts";
import { restoreTimeOf } from "./restore-time.ts";
import { runRestore } from "./run-restore.ts";
import { FOLDER, RESTORE_PATH } from "./sources.ts";

const HOUR_MS = 3_600_000;

async function getPoint(
  { db, account }: BackupContext,
  { region, recoveryPointArn: arn }: RestoreWish,
): Promise<PointRow> {
  if (!findPointIn(arn)) throw errors.invalidParameterValue(`${arn} is not the ARN of a recovery point.`);
  const point = await findPointByArn(db, account, arn);
  if (!point || point.region !== region)
    throw errors.notFound(`There is no recovery point ${arn} in this account and region.`);
  return point;
}
function check(point: PointRow, { metadata, resourceType }: RestoreWish): void {
  if (point.is_parent === 1)
    throw errors.invalidRequest("A composite recovery point is restored by restoring its children.");
  if (point.status === "DELETING")
    throw errors.invalidRequest("The recovery point is being deleted, so that it cannot be restored.");
  if (resourceType !== undefined && resourceType !== point.resource_type)
    throw errors.invalidParameterValue(
      `The recovery point is of the type ${point.resource_type}, not ${resourceType}.`,
    );
  if (point.resource_type === FOLDER && metadata[RESTORE_PATH] === undefined)
    throw errors.missingParameterValue(`Metadata must say ${RESTORE_PATH}.`);
  restoreTimeOf(point, metadata);
}

/** In the caller's transaction. */
export async function requestRestore(context: BackupContext, wish: RestoreWish): Promise<RestoreJobRow> {
  const { db, account, clock, ids } = context;
  const { region, idempotencyToken } = wish;
  if (idempotencyToken !== undefined) {
    const earlier = await findRestoreJobByToken(db, account, region, idempotencyToken);
    if (earlier) return earlier;
  }
  checkRole(wish.roleArn, account);
  const point = await getPoint(context, wish);
  check(point, wish);
  const nowMs = clock.nowMs();
  const row: RestoreJobRow = {
    account,
    region,
    id: ids.uuid(),
    point_arn: pointArnOf(account, region, point.id),
    vault: point.vault,
    resource_arn: point.resource_arn,
    resource_type: point.resource_type,
    role_arn: wish.roleArn,
    metadata: JSON.stringify(wish.metadata),
    state: "PENDING",
    message: null,
    percent: 0,
    size: point.size,
    copy_tags: wish.copyTags === false ? WITHOUT_TAGS : wish.copyTags ? 1 : 0,
    testing_plan_arn: wish.testingPlanArn ?? null,
    validation_status: null,
    validation_message: null,
    validation_until:
      wish.validationWindowHours === undefined ? null : nowMs + wish.validationWindowHours * HOUR_MS,
    deletion_status: null,
    deletion_message: null,
    created_resource_arn: null,
    point_created_at: point.created_at,
    source_holder: null,
    token: idempotencyToken ?? null,
    created_at: nowMs,
    begun_at: null,
    completed_at: null,
  };
  await insertRestoreJob(db, row);
  await context.enqueue(runRestore, { region, jobId: row.id }, { key: `restore:${region}:${row.id}` });
  return row;
}
