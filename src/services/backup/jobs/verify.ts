/**
 * Verifies vaults. It first checks every chunk. It then checks that all chunks of each recovery point exist and are
 * referenced by its holder. The result names the recovery points with damage.
 */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { pointArnOf } from "../domain/index.ts";
import type { BackupContext, State } from "../state.ts";
import { StorageError } from "../storage/engine.ts";
import type { KeyMaterial } from "../storage/work.ts";
import {
  type ChunkPlace,
  findPoint,
  listChunkIds,
  listHolders,
  listPointsByHolder,
  listPointsById,
  listUnheld,
  listVaultsById,
  updatePoint,
} from "../store/index.ts";
import type { PointRow, Tables, VaultRow } from "../tables/index.ts";
import {
  chunkSourceOf,
  coldPlaceOf,
  keyMaterialOf,
  Mutex,
  POINTS,
  placeOf,
  placeOfPoint,
  streamedBytesOf,
  vaultIdIn,
} from "./vault-storage.ts";

const CHUNKS_AT_ONCE = 256;
const POINTS_AT_ONCE = 8;
/** Reported instead of a chunk id if a vault's key cannot be decrypted. */
const KEY = "key";
const EVERY_SECONDS = 7 * 86_400;

/** Behind this chunk of a vault or of its cold storage, or behind this recovery point. */
export type Position = { readonly placeId: string; readonly chunkId: string };
export const START: Position = { placeId: "", chunkId: "" };
export type Damage = { readonly chunkId: string; readonly points: readonly PointRow[] };
export type Verified = {
  readonly vault: VaultRow;
  readonly position: Position;
  readonly chunks: number;
  readonly damages: readonly Damage[];
};

async function pointsOf({ db }: BackupContext, place: ChunkPlace, chunkId: string): Promise<PointRow[]> {
  const points: PointRow[] = [];
  for (const holder of await listHolders(db, place, chunkId))
    points.push(...(await listPointsByHolder(db, place.account, place.vaultId, holder)));
  return points;
}
function findKeys(context: BackupContext, vault: VaultRow): KeyMaterial | undefined {
  try {
    return keyMaterialOf(context, vault);
  } catch {
    return undefined;
  }
}
async function checkChunks(
  context: BackupContext,
  vault: VaultRow,
  place: ChunkPlace,
  ids: readonly string[],
): Promise<Damage[]> {
  const keys = findKeys(context, vault);
  // Each of its recovery points is named for it.
  if (!keys) return [];
  const damaged = await context.state.engine.check({ keys, ids }, chunkSourceOf(context, new Mutex(), place));
  const damages: Damage[] = [];
  for (const chunkId of damaged) damages.push({ chunkId, points: await pointsOf(context, place, chunkId) });
  // Chunks that were deleted during the check are not damage.
  return damages.filter(({ points }) => points.length > 0);
}

/** Chunks that it is made of and that are damaged, missing, or not held for it. */
async function findLost(context: BackupContext, vault: VaultRow, point: PointRow): Promise<string[]> {
  const keys = findKeys(context, vault);
  if (!keys) return [KEY];
  const place = placeOfPoint(point);
  const mutex = new Mutex();
  const lost = new Set<string>();
  const hear = async (ids: readonly string[]) => {
    const unheld = await mutex.run(() => listUnheld(context.db, place, point.holder, ids));
    for (const id of unheld) lost.add(id);
  };
  try {
    const task = { keys, root: point.root as string, bytes: streamedBytesOf(point) };
    await context.state.engine.needs(task, chunkSourceOf(context, mutex, place), hear);
  } catch (error) {
    if (!(error instanceof StorageError) || error.failure.chunk === undefined) throw error;
    lost.add(error.failure.chunk);
  }
  return [...lost];
}
async function checkPoint(context: BackupContext, vault: VaultRow, point: PointRow): Promise<Damage[]> {
  const lost = await findLost(context, vault, point);
  if (lost.length === 0) return [];
  // A point that was deleted, moved or renewed during the check is not damaged.
  const now = await findPoint(context.db, point.account, point.region, point.id);
  const isSame = now?.status === point.status && now.holder === point.holder && now.root === point.root;
  return isSame ? lost.map((chunkId) => ({ chunkId, points: [now] })) : [];
}

/** Where to look next: the rest of a place, the cold storage of its vault, its recovery points, the vault behind it. */
async function* placesFrom(
  { db }: BackupContext,
  account: string | undefined,
  { placeId, chunkId }: Position,
): AsyncGenerator<{ vault: VaultRow; place: ChunkPlace; after: string }> {
  for (let vaultId = vaultIdIn(placeId); ; ) {
    const [vault, following] = await listVaultsById(db, account, vaultId, 2);
    if (!vault) return;
    const points = { account: vault.account, vaultId: `${vault.id}${POINTS}` };
    for (const place of [placeOf(vault), coldPlaceOf(vault), points])
      if (place.vaultId >= placeId) yield { vault, place, after: place.vaultId === placeId ? chunkId : "" };
    if (!following) return;
    vaultId = following.id;
  }
}

async function verifyPoints(
  context: BackupContext,
  vault: VaultRow,
  placeId: string,
  after: string,
): Promise<Verified | undefined> {
  const placeIds = [placeOf(vault).vaultId, coldPlaceOf(vault).vaultId];
  const points = await listPointsById(context.db, vault, placeIds, after, POINTS_AT_ONCE);
  const last = points.at(-1);
  if (!last) return undefined;
  const damages: Damage[] = [];
  for (const point of points) damages.push(...(await checkPoint(context, vault, point)));
  return { vault, position: { placeId, chunkId: last.id }, chunks: 0, damages };
}

/** Checks the next item after a position, in one account or in all. Returns undefined at the end. */
export async function verifyNext(
  context: BackupContext,
  account: string | undefined,
  from: Position,
): Promise<Verified | undefined> {
  for await (const { vault, place, after } of placesFrom(context, account, from)) {
    if (place.vaultId.endsWith(POINTS)) {
      const verified = await verifyPoints(context, vault, place.vaultId, after);
      if (verified) return verified;
      continue;
    }
    const ids = await listChunkIds(context.db, place, after, CHUNKS_AT_ONCE);
    const last = ids.at(-1);
    if (last !== undefined)
      return {
        vault,
        position: { placeId: place.vaultId, chunkId: last },
        chunks: ids.length,
        damages: await checkChunks(context, vault, place, ids),
      };
  }
  return undefined;
}

async function run(_payload: unknown, context: BackupContext): Promise<void> {
  let position = START;
  for (;;) {
    const verified = await verifyNext(context, undefined, position);
    if (!verified) return;
    ({ position } = verified);
    for (const { chunkId, points } of verified.damages)
      for (const point of points) {
        const what = chunkId === KEY ? "the key of its vault" : `the chunk ${chunkId}`;
        const message = `Its content is damaged: ${what} is not what was stored.`;
        context.log.error("a recovery point is damaged", {
          account: point.account,
          recoveryPoint: pointArnOf(point.account, point.region, point.id),
          chunk: chunkId,
        });
        await context.transact((inner) => updatePoint(inner.db, point, { message }));
      }
  }
}

export const verifyAll = jobsFor<Tables, State>()({
  name: "backup.verify",
  transaction: "manual",
  housekeeping: true,
  repeat: { everySeconds: EVERY_SECONDS },
  payload: Type.Object({}),
  run,
});
