/** A vault's chunks on behalf of a job: one short transaction after the other, however many ask at the same time. */
import type { BackupContext } from "../state.ts";
import type { Stock } from "../storage/manifest.ts";
import type { Shelf } from "../storage/packer.ts";
import type { KeyMaterial } from "../storage/work.ts";
import { type ChunkPlace, holdChunks, putChunks, readChunks } from "../store/index.ts";
import type { VaultRow } from "../tables/index.ts";

export const keyMaterialOf = ({ secrets }: Pick<BackupContext, "secrets">, vault: VaultRow): KeyMaterial => ({
  vaultId: vault.id,
  vaultKey: Buffer.from(secrets.open(vault.sealed_key), "base64url"),
});
export const placeOf = ({ account, id }: VaultRow): ChunkPlace => ({ account, vaultId: id });

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
