/** Looks whether what lies in vaults is still what was stored, chunk by chunk, and names the recovery points of what is not. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { pointArnOf } from "../domain/index.ts";
import type { BackupContext, State } from "../state.ts";
import {
  type ChunkPlace,
  listChunkIds,
  listHolders,
  listPointsByHolder,
  listVaultsById,
  updatePoint,
} from "../store/index.ts";
import type { PointRow, Tables, VaultRow } from "../tables/index.ts";
import { coldPlaceOf, keyMaterialOf, placeOf, stockOf, Turns, vaultIdIn } from "./vault-storage.ts";

const CHUNKS_AT_ONCE = 256;
const EVERY_SECONDS = 7 * 86_400;

/** Behind this chunk of a vault, or of its cold storage. */
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
async function check(
  context: BackupContext,
  vault: VaultRow,
  place: ChunkPlace,
  ids: readonly string[],
): Promise<Damage[]> {
  const stock = stockOf(context, new Turns(), place);
  const damaged = await context.state.engine.check({ keys: keyMaterialOf(context, vault), ids }, stock);
  const damages: Damage[] = [];
  for (const chunkId of damaged) damages.push({ chunkId, points: await pointsOf(context, place, chunkId) });
  // What was deleted while it was looked at is no damage.
  return damages.filter(({ points }) => points.length > 0);
}

/** Where the next chunks may lie: the rest of a place, the cold storage of its vault, the vault behind it. */
async function* placesFrom(
  { db }: BackupContext,
  account: string | undefined,
  { placeId, chunkId }: Position,
): AsyncGenerator<{ vault: VaultRow; place: ChunkPlace; after: string }> {
  for (let vaultId = vaultIdIn(placeId); ; ) {
    const [vault, following] = await listVaultsById(db, account, vaultId, 2);
    if (!vault) return;
    for (const place of [placeOf(vault), coldPlaceOf(vault)])
      if (place.vaultId >= placeId) yield { vault, place, after: place.vaultId === placeId ? chunkId : "" };
    if (!following) return;
    vaultId = following.id;
  }
}

/** The next chunks behind a position, of one account or of all; undefined when there are no more. */
export async function verifyNext(
  context: BackupContext,
  account: string | undefined,
  from: Position,
): Promise<Verified | undefined> {
  for await (const { vault, place, after } of placesFrom(context, account, from)) {
    const ids = await listChunkIds(context.db, place, after, CHUNKS_AT_ONCE);
    const last = ids.at(-1);
    if (last !== undefined)
      return {
        vault,
        position: { placeId: place.vaultId, chunkId: last },
        chunks: ids.length,
        damages: await check(context, vault, place, ids),
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
        const message = `Its content is damaged: the chunk ${chunkId} is not what was stored.`;
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
