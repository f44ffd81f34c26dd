/** Recovery points grow old: to cold storage, and away, when their time has come. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { pointArnOf } from "../domain/index.ts";
import type { BackupContext, State } from "../state.ts";
import { findHoldOn, findPoint, getVault, listHeld, updatePoint } from "../store/index.ts";
import type { PointRow, Tables, VaultRow } from "../tables/index.ts";
import { startDeletion, sweepLater } from "./delete-point.ts";
import { notifyVault } from "./notify.ts";
import { isRoleAllowed } from "./roles.ts";
import {
  chunkSinkOf,
  chunkSourceOf,
  coldPlaceOf,
  keyMaterialOf,
  Mutex,
  placeOfPoint,
  streamedBytesOf,
  type Transact,
} from "./vault-storage.ts";

const CHUNKS_AT_ONCE = 256;

const keyOf = (region: string, pointId: string): string => `lifecycle:${region}:${pointId}`;

/** The time of the next lifecycle step. */
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

/** If the role may not delete a point, the point stays and its status says so. */
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
  // Cancelling the hold schedules this step again.
  if (hold) return;
  const nowMs = clock.nowMs();
  if (point.delete_at !== null && point.delete_at <= nowMs) return remove(context, point);
  if (point.cold_at === null || point.cold_at > nowMs) return planLifecycle(context, point);
  await context.enqueue(coolPoint, { region, pointId }, { key: `cool:${region}:${pointId}` });
}

export const pointLifecycle = jobsFor<Tables, State>()({
  name: "backup.point-lifecycle",
  payload: Type.Object({ region: Type.String(), pointId: Type.String() }),
  run,
});

type PointKey = { readonly region: string; readonly pointId: string };
const isToCool = (point: PointRow | undefined): point is PointRow =>
  point !== undefined && point.storage_class === "WARM" && point.status !== "DELETING";

/**
 * In a transaction. Recompressed chunks get a new holder. The holder of a killed attempt is deleted by the
 * sweep.
 */
async function beginCooling(
  context: BackupContext,
  { region, pointId }: PointKey,
): Promise<{ point: PointRow; vault: VaultRow } | undefined> {
  const { db, account, ids } = context;
  const point = await findPoint(db, account, region, pointId);
  if (!isToCool(point)) return undefined;
  const vault = await getVault(db, account, region, point.vault);
  await sweepLater(context, coldPlaceOf(vault), point.next_holder);
  const next_holder = ids.uuid();
  await updatePoint(db, point, { next_holder });
  return { point: { ...point, next_holder }, vault };
}
async function pack(context: BackupContext, point: PointRow, vault: VaultRow): Promise<void> {
  const mutex = new Mutex();
  const from = placeOfPoint(point);
  const transact: Transact = (work) => mutex.run(() => context.transact(work));
  const sink = chunkSinkOf(context, transact, coldPlaceOf(vault), point.next_holder as string);
  const keys = keyMaterialOf(context, vault);
  for (let after = ""; ; ) {
    const ids = await mutex.run(() => listHeld(context.db, from, point.holder, after, CHUNKS_AT_ONCE));
    const last = ids.at(-1);
    if (last === undefined) return;
    const task = { keys, ids, bytes: streamedBytesOf(point) };
    await context.state.engine.cool(task, chunkSourceOf(context, mutex, from), sink);
    after = last;
  }
}
async function endCooling(context: BackupContext, cooled: PointRow, vault: VaultRow): Promise<void> {
  const { db, account } = context;
  const { region, id, next_holder } = cooled;
  const point = await findPoint(db, account, region, id);
  if (!isToCool(point) || point.next_holder !== next_holder)
    return sweepLater(context, coldPlaceOf(vault), next_holder);
  const changes = {
    storage_class: "COLD",
    vault_id: coldPlaceOf(vault).vaultId,
    holder: next_holder as string,
    next_holder: null,
  };
  await updatePoint(db, point, changes);
  await sweepLater(context, placeOfPoint(point), point.holder);
  await notifyVault(context, {
    region,
    vaultName: point.vault,
    events: ["RECOVERY_POINT_MODIFIED"],
    message: "The recovery point was moved to cold storage.",
    about: { RecoveryPointArn: pointArnOf(account, region, id) },
  });
  await planLifecycle(context, { ...point, ...changes });
}

/** Packs a point's chunks better, in the vault's cold storage, and lets go of them where they were. */
export const coolPoint = jobsFor<Tables, State>()({
  name: "backup.cool-point",
  transaction: "manual",
  sharesCommits: true,
  payload: Type.Object({ region: Type.String(), pointId: Type.String() }),
  async run(key, context) {
    const begun = await context.transact((inner) => beginCooling(inner, key));
    if (!begun) return;
    await pack(context, begun.point, begun.vault);
    await context.transact((inner) => endCooling(inner, begun.point, begun.vault));
  },
});
