/** Blocks of a trained index, each encrypted as a whole. */
import type { Kysely } from "kysely";
import type { FaceKey } from "../domain/containers.ts";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export type BlockKey = { readonly generation: number; readonly firstKey: string };
export type SealedBlock = BlockKey & { readonly entries: string };

/** Text that sorts like person and face. Persons have the same length, or all are empty. */
export const blockKeyOf = ({ person, id }: FaceKey): string => `${person}/${id}`;

const blocksOf = (db: Db, account: string, container: string) =>
  db
    .selectFrom("face_index_block")
    .select(["generation", "first_key", "entries"])
    .where("account", "=", account)
    .where("container", "=", container);
const blockOf = (row: { generation: number; first_key: string; entries: string }): SealedBlock => ({
  generation: Number(row.generation),
  firstKey: row.first_key,
  entries: row.entries,
});

/** In key order. */
export async function listBlocks(
  db: Db,
  account: string,
  container: string,
  { generation, after = "", limit }: { generation: number; after?: string | undefined; limit: number },
): Promise<SealedBlock[]> {
  const rows = await blocksOf(db, account, container)
    .where("generation", "=", generation)
    .where("first_key", ">", after)
    .orderBy("first_key")
    .limit(limit)
    .execute();
  return rows.map(blockOf);
}

export async function countBlocks(
  db: Db,
  account: string,
  container: string,
  generation: number,
): Promise<number> {
  const row = await db
    .selectFrom("face_index_block")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("container", "=", container)
    .where("generation", "=", generation)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** The block of each generation that may contain the face. */
export async function listBlocksAround(
  db: Db,
  account: string,
  container: string,
  key: FaceKey,
): Promise<SealedBlock[]> {
  const generations = await db
    .selectFrom("face_index_block")
    .select("generation")
    .distinct()
    .where("account", "=", account)
    .where("container", "=", container)
    .execute();
  const found: SealedBlock[] = [];
  for (const { generation } of generations) {
    const row = await blocksOf(db, account, container)
      .where("generation", "=", generation)
      .where("first_key", "<=", blockKeyOf(key))
      .orderBy("first_key", "desc")
      .limit(1)
      .executeTakeFirst();
    if (row) found.push(blockOf(row));
  }
  return found;
}

type WriteBlock = (db: Db, account: string, container: string, block: SealedBlock) => Promise<void>;
export const insertBlock: WriteBlock = async (db, account, container, block) => {
  const { generation, firstKey, entries } = block;
  await db
    .insertInto("face_index_block")
    .values({ account, container, generation, first_key: firstKey, entries })
    .execute();
};

export const updateBlock: WriteBlock = async (db, account, container, block) => {
  const { generation, firstKey, entries } = block;
  await db
    .updateTable("face_index_block")
    .set({ entries })
    .where("account", "=", account)
    .where("container", "=", container)
    .where("generation", "=", generation)
    .where("first_key", "=", firstKey)
    .execute();
};

/** Blocks are large. A transaction that deletes thousands would block others. */
const DELETED_AT_ONCE = 40;

/** Deletes some blocks of one generation, or of older ones. Returns true if none were left. */
export async function deleteSomeBlocks(
  db: Db,
  account: string,
  container: string,
  which: { readonly generation: number } | { readonly olderThan: number },
): Promise<boolean> {
  const chosen = db
    .selectFrom("face_index_block")
    .select(["generation", "first_key"])
    .where("account", "=", account)
    .where("container", "=", container);
  const some = await ("generation" in which
    ? chosen.where("generation", "=", which.generation)
    : chosen.where("generation", "<", which.olderThan)
  )
    .orderBy("generation")
    .orderBy("first_key")
    .limit(DELETED_AT_ONCE)
    .execute();
  const [first] = some;
  if (!first) return true;
  const keys = some.filter(({ generation }) => generation === first.generation);
  await db
    .deleteFrom("face_index_block")
    .where("account", "=", account)
    .where("container", "=", container)
    .where("generation", "=", first.generation)
    .where("first_key", "<=", keys.at(-1)?.first_key ?? "")
    .execute();
  return false;
}
