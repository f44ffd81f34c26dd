/** A vault's chunks on behalf of a job: one short transaction after the other, however many ask at the same time. */
import type { BackupContext } from "../state.ts";
import type { Stock } from "../storage/manifest.ts";
import type { Shelf } from "../storage/packer.ts";
import type { KeyMaterial } from "../storage/work.ts";
import { type ChunkPlace, holdChunks, putChunks, readChunks } from "../store/index.ts";
import type { PointRow, VaultRow } from "../tables/index.ts";

export const keyMaterialOf = ({ secrets }: Pick<BackupContext, "secrets">, vault: VaultRow): KeyMaterial => ({
  vaultId: vault.id,
  vaultKey: Buffer.from(secrets.open(vault.sealed_key), "base64url"),
});
/** Where new content goes. */
export const placeOf = ({ account, id }: VaultRow): ChunkPlace => ({ account, vaultId: id });
/** Cold storage: apart from the rest of the vault, under the same key. */
const COLD = "-cold";
export const coldPlaceOf = ({ account, id }: VaultRow): ChunkPlace => ({ account, vaultId: `${id}${COLD}` });
/** No place for chunks: how a verification says that it has come to the recovery points of a vault. */
export const POINTS = "-points";
export function vaultIdIn(placeId: string): string {
  const suffix = [COLD, POINTS].find((one) => placeId.endsWith(one)) ?? "";
  return placeId.slice(0, placeId.length - suffix.length);
}
/** Where a point's content lies. */
export const placeOfPoint = ({ account, vault_id }: PointRow): ChunkPlace => ({ account, vaultId: vault_id });

/** A job's context takes one thing at a time. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** How a transaction is opened: of the job itself, or in the account of a vault that it copies to. */
export type Transact = <T>(work: (context: BackupContext) => Promise<T>) => Promise<T>;

export const shelfOf = (transact: Transact, place: ChunkPlace, holder: string): Shelf => ({
  hold: (ids) => transact((inner) => holdChunks(inner.db, place, holder, ids)),
  store: (chunks) => transact((inner) => putChunks(inner.db, place, holder, chunks)),
});
export const stockOf = (context: BackupContext, turns: Turns, place: ChunkPlace): Stock => ({
  fetch: (ids) => turns.take(() => readChunks(context.db, place, ids)),
});
