/** Chunks as rows, and who needs them. A chunk goes with the last who does, in the same transaction. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Stored } from "#kernel/objects";
import type { ChunkRow, ChunkUseRow, Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;
const { compiledInsertAll, compiledQuery, compiledShapes } = queriesOf<Db>();
/** The place of chunks: a vault, or its cold storage. */
export type ChunkPlace = { readonly account: string; readonly vaultId: string };

const IDS_AT_ONCE = 200;

const insertUses = compiledInsertAll<ChunkUseRow>(
  "backup_chunk_use",
  ["account", "vault_id", "chunk_id", "holder"],
  { taken: "pass over" },
);
const batches = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

const selectPresent = compiledShapes<Pick<ChunkRow, "id">, number>((db: Db, _, [account, vaultId, ...ids]) =>
  db
    .selectFrom("backup_chunk")
    .select("id")
    .where("account", "=", account)
    .where("vault_id", "=", vaultId)
    .where("id", "in", ids),
);
async function findPresent(
  db: Db,
  { account, vaultId }: ChunkPlace,
  ids: readonly string[],
): Promise<Set<string>> {
  const present = new Set<string>();
  for (const some of batches(ids, IDS_AT_ONCE)) {
    const { rows } = await selectPresent(db, String(some.length), some.length, [account, vaultId, ...some]);
    for (const { id } of rows) present.add(id);
  }
  return present;
}
const selectNoted = compiledShapes<Pick<ChunkUseRow, "chunk_id">, number>(
  (db: Db, _, [account, vaultId, holder, ...ids]) =>
    db
      .selectFrom("backup_chunk_use")
      .select("chunk_id")
      .where("account", "=", account)
      .where("vault_id", "=", vaultId)
      .where("holder", "=", holder)
      .where("chunk_id", "in", ids),
);
async function findNoted(
  db: Db,
  { account, vaultId }: ChunkPlace,
  holder: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const noted = new Set<string>();
  for (const some of batches(ids, IDS_AT_ONCE)) {
    const values = [account, vaultId, holder, ...some];
    const { rows } = await selectNoted(db, String(some.length), some.length, values);
    for (const { chunk_id } of rows) noted.add(chunk_id);
  }
  return noted;
}
/** Existing references stay as they are. */
const noteUses = (
  db: Db,
  { account, vaultId }: ChunkPlace,
  holder: string,
  ids: readonly string[],
): Promise<void> =>
  insertUses(
    db,
    ids.map((chunk_id) => ({ account, vault_id: vaultId, chunk_id, holder })),
  );

/** Records references to the chunks that exist. Returns the ids of the others. */
export async function holdChunks(
  db: Db,
  place: ChunkPlace,
  holder: string,
  ids: readonly string[],
): Promise<string[]> {
  const present = await findPresent(db, place, ids);
  await noteUses(db, place, holder, [...present]);
  return ids.filter((id) => !present.has(id));
}
/** `stored`: the number of bytes, wherever they are. */
export type StoredChunk = Stored & { readonly id: string; readonly size: number; readonly stored: number };
/** Two who store the same chunk at the same time store it once. */
export async function putChunks(
  db: Db,
  place: ChunkPlace,
  holder: string,
  chunks: readonly StoredChunk[],
): Promise<void> {
  for (const { id, size, stored, bytes, object } of chunks) {
    const row: ChunkRow = {
      account: place.account,
      vault_id: place.vaultId,
      id,
      size,
      stored,
      bytes,
      object,
    };
    await db
      .insertInto("backup_chunk")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await noteUses(
    db,
    place,
    holder,
    chunks.map(({ id }) => id),
  );
}
const selectChunks = compiledShapes<Pick<ChunkRow, "id" | "bytes" | "object">, number>(
  (db: Db, _, [account, vaultId, ...ids]) =>
    db
      .selectFrom("backup_chunk")
      .select(["id", "bytes", "object"])
      .where("account", "=", account)
      .where("vault_id", "=", vaultId)
      .where("id", "in", ids),
);
export async function findChunks(
  db: Db,
  { account, vaultId }: ChunkPlace,
  ids: readonly string[],
): Promise<(Stored | undefined)[]> {
  const found = new Map<string, Stored>();
  for (const some of batches(ids, IDS_AT_ONCE)) {
    const { rows } = await selectChunks(db, String(some.length), some.length, [account, vaultId, ...some]);
    for (const { id, bytes, object } of rows) found.set(id, { bytes, object });
  }
  return ids.map((id) => found.get(id));
}

const selectHeld = compiledQuery<
  Pick<ChunkUseRow, "chunk_id">,
  [account: string, vaultId: string, holder: string, after: string, limit: number]
>(["", "", "", "", 0], (db: Db, account, vaultId, holder, after, limit) =>
  db
    .selectFrom("backup_chunk_use")
    .select("chunk_id")
    .where("account", "=", account)
    .where("vault_id", "=", vaultId)
    .where("holder", "=", holder)
    .where("chunk_id", ">", after)
    .orderBy("chunk_id")
    .limit(limit),
);
const deleteUses = compiledShapes<never, number>((db: Db, _, [account, vaultId, holder, ...ids]) =>
  db
    .deleteFrom("backup_chunk_use")
    .where("account", "=", account)
    .where("vault_id", "=", vaultId)
    .where("holder", "=", holder)
    .where("chunk_id", "in", ids),
);
const deleteOrphans = compiledShapes<never, number>((db: Db, _, [account, vaultId, ...ids]) =>
  db
    .deleteFrom("backup_chunk")
    .where("account", "=", account)
    .where("vault_id", "=", vaultId)
    .where("id", "in", ids)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("backup_chunk_use")
            .select("chunk_id")
            .where("backup_chunk_use.account", "=", account)
            .where("backup_chunk_use.vault_id", "=", vaultId)
            .whereRef("backup_chunk_use.chunk_id", "=", "backup_chunk.id"),
        ),
      ),
    ),
);
/**
 * Removes some of a holder's references and deletes the chunks without any. Returns false if the holder had
 * none.
 */
export async function releaseSome(
  db: Db,
  place: ChunkPlace,
  holder: string,
  limit: number,
): Promise<boolean> {
  const { account, vaultId } = place;
  const rows = await selectHeld(db, account, vaultId, holder, "", limit);
  const ids = rows.map(({ chunk_id }) => chunk_id);
  for (const some of batches(ids, IDS_AT_ONCE)) {
    const shape = String(some.length);
    await deleteUses(db, shape, some.length, [account, vaultId, holder, ...some]);
    await deleteOrphans(db, shape, some.length, [account, vaultId, ...some]);
  }
  return ids.length > 0;
}

/** The next who holds chunks, of all accounts and vaults. */
export type HolderKey = { readonly account: string; readonly vaultId: string; readonly holder: string };
const selectNextHolder = compiledQuery<Omit<ChunkUseRow, "chunk_id">, [string, string, string]>(
  ["", "", ""],
  (db: Db, ...after) =>
    db
      .selectFrom("backup_chunk_use")
      .select(["account", "vault_id", "holder"])
      .where(({ eb, refTuple, tuple }) => eb(refTuple("account", "vault_id", "holder"), ">", tuple(...after)))
      .orderBy("account")
      .orderBy("vault_id")
      .orderBy("holder")
      .limit(1),
);
export async function findNextHolder(db: Db, after: HolderKey): Promise<HolderKey | undefined> {
  const [row] = await selectNextHolder(db, after.account, after.vaultId, after.holder);
  return row && { account: row.account, vaultId: row.vault_id, holder: row.holder };
}
const selectHolding = compiledQuery<object, [string, string, string]>(
  ["", "", ""],
  (db: Db, account, vaultId, holder) =>
    db
      .selectFrom("backup_point")
      .select("id")
      .where("account", "=", account)
      .where("vault_id", "=", vaultId)
      .where("holder", "=", holder)
      .where("status", "<>", "DELETING"),
);
/** Points that are being renewed, jobs under way, and copies and restores that read its chunks. */
const selectUse = compiledQuery<{ is: unknown }, [string, string]>(["", ""], (db: Db, account, holder) =>
  db.selectNoFrom(({ exists, or, selectFrom }) => {
    const jobs = selectFrom("backup_job").select("id").where("account", "=", account);
    const copies = selectFrom("backup_copy_job").select("id");
    const points = selectFrom("backup_point").select("id").where("account", "=", account);
    return or([
      exists(points.where("next_holder", "=", holder)),
      exists(jobs.where("holder", "=", holder)),
      exists(jobs.where("earlier_holder", "=", holder)),
      exists(copies.where("holder", "=", holder)),
      exists(copies.where("source_holder", "=", holder)),
      exists(selectFrom("backup_restore_job").select("id").where("source_holder", "=", holder)),
    ]).as("is");
  }),
);
/** Whether a recovery point or a running job uses the holder. */
export async function isHolderAlive(db: Db, { account, vaultId, holder }: HolderKey): Promise<boolean> {
  if ((await selectHolding(db, account, vaultId, holder)).length > 0) return true;
  const [use] = await selectUse(db, account, holder);
  return Boolean(use?.is);
}

/** Referenced chunks in order of their ids. */
export async function listHeld(
  db: Db,
  { account, vaultId }: ChunkPlace,
  holder: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await selectHeld(db, account, vaultId, holder, after, limit);
  return rows.map(({ chunk_id }) => chunk_id);
}

/** Chunks that are missing, or that lack a reference from a holder that needs them. */
export async function listUnheld(
  db: Db,
  place: ChunkPlace,
  holder: string,
  ids: readonly string[],
): Promise<string[]> {
  const present = await findPresent(db, place, ids);
  const noted = await findNoted(db, place, holder, ids);
  return ids.filter((id) => !present.has(id) || !noted.has(id));
}

/** In the order of their ids, for checking them. */
export async function listChunkIds(
  db: Db,
  { account, vaultId }: ChunkPlace,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("backup_chunk")
    .select("id")
    .where("account", "=", account)
    .where("vault_id", "=", vaultId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
/** The holders of a chunk. */
export async function listHolders(
  db: Db,
  { account, vaultId }: ChunkPlace,
  chunkId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom("backup_chunk_use")
    .select("holder")
    .where("account", "=", account)
    .where("vault_id", "=", vaultId)
    .where("chunk_id", "=", chunkId)
    .execute();
  return rows.map(({ holder }) => holder);
}
export type ChunksSize = { readonly chunks: number; readonly bytes: number; readonly stored: number };
export async function measureChunks(db: Db, { account, vaultId }: ChunkPlace): Promise<ChunksSize> {
  const row = await db
    .selectFrom("backup_chunk")
    .select(({ fn }) => [
      fn.countAll().as("chunks"),
      fn.sum("size").as("bytes"),
      fn.sum("stored").as("stored"),
    ])
    .where("account", "=", account)
    .where("vault_id", "=", vaultId)
    .executeTakeFirst();
  return {
    chunks: Number(row?.chunks ?? 0),
    bytes: Number(row?.bytes ?? 0),
    stored: Number(row?.stored ?? 0),
  };
}
