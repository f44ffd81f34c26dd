/** A vault's chunks on behalf of a job: one short transaction after the other, however many ask at the same time. */
import type { BackupContext } from "../state.ts";
import { letGo } from "../storage/conversation.ts";
import { StorageError } from "../storage/engine.ts";
import type { ChunkSource } from "../storage/manifest.ts";
import type { ChunkSink } from "../storage/packer.ts";
import type { KeyMaterial } from "../storage/work.ts";
import { type ChunkPlace, findChunks, holdChunks, putChunks } from "../store/index.ts";
import type { PointRow, VaultRow } from "../tables/index.ts";

/** Decrypts the vault's key. Fails early if it is damaged, because then no chunk can be decrypted. */
export function keyMaterialOf(
  { secrets }: Pick<BackupContext, "secrets">,
  { id, name, sealed_key }: VaultRow,
): KeyMaterial {
  try {
    return { vaultId: id, vaultKey: Buffer.from(secrets.open(sealed_key), "base64url") };
  } catch {
    throw new StorageError({
      kind: "damaged",
      message: `the key of the backup vault ${name} is not what was stored`,
    });
  }
}
/** Where new content goes. */
export const placeOf = ({ account, id }: VaultRow): ChunkPlace => ({ account, vaultId: id });
/** Cold storage: apart from the rest of the vault, under the same key. */
const COLD = "-cold";
export const coldPlaceOf = ({ account, id }: VaultRow): ChunkPlace => ({ account, vaultId: `${id}${COLD}` });
/** Not a place for chunks: it marks the step of a verification that checks a vault's recovery points. */
export const POINTS = "-points";
export function vaultIdIn(placeId: string): string {
  const suffix = [COLD, POINTS].find((one) => placeId.endsWith(one)) ?? "";
  return placeId.slice(0, placeId.length - suffix.length);
}
/** The place of a point's content. */
export const placeOfPoint = ({ account, vault_id }: PointRow): ChunkPlace => ({ account, vaultId: vault_id });
/** A tree may have very many entries and little content. */
export const streamedBytesOf = ({ content, size }: PointRow): number =>
  content === "stream" ? size : Infinity;

/** A job's context must not be used by two callers at the same time. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Holds the mutex during each read of the source, so that no other code uses the context at the same time. */
export async function* readLocked(
  parts: AsyncIterable<Uint8Array>,
  mutex: Mutex,
): AsyncGenerator<Uint8Array> {
  const each = parts[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await mutex.run(() => each.next());
    if (done) return;
    yield value;
  }
}

/** How a transaction is opened: of the job itself, or in the account of a vault that it copies to. */
export type Transact = <T>(work: (context: BackupContext) => Promise<T>) => Promise<T>;

function resultOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}
/** The bytes of chunks are needed until the last of them is stored or has failed. */
export const chunkSinkOf = (
  { objects }: BackupContext,
  transact: Transact,
  place: ChunkPlace,
  holder: string,
): ChunkSink => ({
  hold: (ids) => transact((inner) => holdChunks(inner.db, place, holder, ids)),
  async store(chunks) {
    try {
      const all = await Promise.allSettled(
        chunks.map(async ({ id, size, bytes }) => ({
          id,
          size,
          stored: bytes.length,
          ...(await objects.store(bytes)),
        })),
      );
      const stored = all.map(resultOf);
      await transact((inner) => putChunks(inner.db, place, holder, stored));
    } finally {
      letGo(chunks.map(({ bytes }) => bytes));
    }
  },
});
export const chunkSourceOf = (context: BackupContext, mutex: Mutex, place: ChunkPlace): ChunkSource => ({
  async fetch(ids) {
    const found = await mutex.run(() => findChunks(context.db, place, ids));
    return Promise.all(found.map((stored) => stored && context.objects.find(stored)));
  },
});
