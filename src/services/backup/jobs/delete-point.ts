/** Deletes a recovery point in steps: first the chunks that no other holder needs, then its row. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { pointArnOf } from "../domain/index.ts";
import type { BackupContext, State } from "../state.ts";
import {
  type ChunkPlace,
  deletePoint,
  endContinuous,
  findNextHolder,
  findPoint,
  type HolderKey,
  isHolderAlive,
  listPoints,
  releaseSome,
  updatePoint,
} from "../store/index.ts";
import type { PointRow, Tables } from "../tables/index.ts";

const CHUNKS_AT_ONCE = 200;
const CHILDREN_AT_ONCE = 500;

/** In the caller's transaction; the children of a parent go with it. */
export async function startDeletion(context: BackupContext, point: PointRow): Promise<void> {
  const { db, account } = context;
  const { region, id } = point;
  await updatePoint(db, point, { status: "DELETING", message: null });
  await context.enqueue(deletePointJob, { region, pointId: id }, { key: `delete:${region}:${id}` });
  if (point.is_parent === 0) return;
  const children = await listPoints(db, account, region, { parentId: id }, { limit: CHILDREN_AT_ONCE });
  for (const child of children) if (child.status !== "DELETING") await startDeletion(context, child);
}

/** Deletion on request. A deleted continuous point is not replaced automatically. */
export async function startWantedDeletion(context: BackupContext, point: PointRow): Promise<void> {
  const { account, region, vault, resource_arn, kind } = point;
  if (kind === "CONTINUOUS") await endContinuous(context.db, account, region, vault, resource_arn);
  await startDeletion(context, point);
}

/** Each step first checks that no point or job still uses the holder. */
async function release(context: BackupContext, place: ChunkPlace, holder: string): Promise<void> {
  const step = () =>
    context.transact(async ({ db }) => {
      if (await isHolderAlive(db, { ...place, holder })) return false;
      return releaseSome(db, place, holder, CHUNKS_AT_ONCE);
    });
  while (await step());
}

const deletePointJob = jobsFor<Tables, State>()({
  name: "backup.delete-point",
  transaction: "manual",
  sharesCommits: true,
  payload: Type.Object({ region: Type.String(), pointId: Type.String() }),
  async run({ region, pointId }, context) {
    const { account } = context;
    const point = await findPoint(context.db, account, region, pointId);
    if (point?.status !== "DELETING") return;
    await release(context, { account, vaultId: point.vault_id }, point.holder);
    await context.transact(async (inner) => {
      const still = await findPoint(inner.db, account, region, pointId);
      if (still?.status !== "DELETING") return;
      await deletePoint(inner.db, still);
      await inner.catalog.remove(pointArnOf(account, region, pointId));
    });
  },
});

/** Deletes the chunks of a failed or killed job whose recovery point was never created. */
const sweepHolder = jobsFor<Tables, State>()({
  name: "backup.sweep-holder",
  transaction: "manual",
  sharesCommits: true,
  payload: Type.Object({ account: Type.String(), vaultId: Type.String(), holder: Type.String() }),
  run: ({ account, vaultId, holder }, context) => release(context, { account, vaultId }, holder),
});
export async function sweepLater(
  context: BackupContext,
  place: ChunkPlace,
  holder: string | null,
): Promise<void> {
  if (holder === null) return;
  const { account, vaultId } = place;
  await context.enqueue(sweepHolder, { account, vaultId, holder }, { key: `sweep:${vaultId}:${holder}` });
}

const SWEEP_SECONDS = 3600;
/** Deletes all chunks that no holder needs, however they were left behind. */
const sweep = jobsFor<Tables, State>()({
  name: "backup.sweep",
  transaction: "manual",
  sharesCommits: true,
  housekeeping: true,
  repeat: { everySeconds: SWEEP_SECONDS },
  payload: Type.Object({}),
  async run(_payload, context) {
    let last: HolderKey = { account: "", vaultId: "", holder: "" };
    for (;;) {
      const next = await findNextHolder(context.db, last);
      if (!next) return;
      if (!(await isHolderAlive(context.db, next))) await release(context, next, next.holder);
      last = next;
    }
  },
});
export const deletionJobs = [deletePointJob, sweepHolder, sweep];
