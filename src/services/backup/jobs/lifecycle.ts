/** Recovery points grow old: to cold storage, and away, when their time has come. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { pointArnOf } from "../domain/index.ts";
import type { BackupContext, State } from "../state.ts";
import { findHoldOn, findPoint, updatePoint } from "../store/index.ts";
import type { PointRow, Tables } from "../tables/index.ts";
import { startDeletion } from "./delete-point.ts";
import { notifyVault } from "./notify.ts";
import { isRoleAllowed } from "./roles.ts";

const keyOf = (region: string, pointId: string): string => `lifecycle:${region}:${pointId}`;

/** What falls due next. */
function nextDueMs({ status, storage_class, cold_at, delete_at }: PointRow): number | undefined {
  if (status === "DELETING" || status === "EXPIRED") return undefined;
  if (cold_at !== null && storage_class === "WARM") return Math.min(cold_at, delete_at ?? cold_at);
  return delete_at ?? undefined;
}
/** Also after its lifecycle was changed, or a hold on it was cancelled. */
export async function planLifecycle(context: BackupContext, point: PointRow): Promise<void> {
  const runAtMs = nextDueMs(point);
  const key = keyOf(point.region, point.id);
  if (runAtMs === undefined) await context.cancelJob(pointLifecycle, key);
  else await context.enqueue(pointLifecycle, { region: point.region, pointId: point.id }, { key, runAtMs });
}

/** A point whose role may not delete it stays, and says so. */
async function remove(context: BackupContext, point: PointRow): Promise<void> {
  if (await isRoleAllowed(context, point.role_arn, "backup:DeleteRecoveryPoint"))
    return startDeletion(context, point);
  const message = `The role ${point.role_arn} may not delete recovery points.`;
  await updatePoint(context.db, point, { status: "EXPIRED", message });
}

async function run({ region, pointId }: { region: string; pointId: string }, context: BackupContext) {
  const { db, account, clock } = context;
  const point = await findPoint(db, account, region, pointId);
  if (!point || nextDueMs(point) === undefined) return;
  const hold = await findHoldOn(db, account, {
    region,
    vaultName: point.vault,
    resourceArn: point.resource_arn,
    createdAtMs: point.created_at,
  });
  // Whoever cancels the hold plans anew.
  if (hold) return;
  const nowMs = clock.nowMs();
  if (point.delete_at !== null && point.delete_at <= nowMs) return remove(context, point);
  if (point.cold_at === null || point.cold_at > nowMs) return planLifecycle(context, point);
  const cold: PointRow = { ...point, storage_class: "COLD" };
  await updatePoint(db, point, { storage_class: "COLD" });
  await notifyVault(context, {
    region,
    vaultName: point.vault,
    event: "RECOVERY_POINT_MODIFIED",
    message: "The recovery point was moved to cold storage.",
    about: { RecoveryPointArn: pointArnOf(account, region, pointId) },
  });
  await planLifecycle(context, cold);
}

export const pointLifecycle = jobsFor<Tables, State>()({
  name: "backup.point-lifecycle",
  payload: Type.Object({ region: Type.String(), pointId: Type.String() }),
  run,
});
