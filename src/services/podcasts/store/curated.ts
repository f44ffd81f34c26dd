/** Queries for curated lists. */
import type { Kysely } from "kysely";
import type { CuratedRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export async function findCurated(db: Db, account: string, id: string): Promise<CuratedRow | undefined> {
  return db
    .selectFrom("podcasts_curated")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
}
/** Latest first. */
export async function pageOfCurated(
  db: Db,
  account: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<CuratedRow[]> {
  return db
    .selectFrom("podcasts_curated")
    .selectAll()
    .where("account", "=", account)
    .orderBy("pub_date_ms", "desc")
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();
}
export async function countCurated(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("podcasts_curated")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
/** Podcast ids in list order. */
export async function listCuratedIds(db: Db, account: string, listId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("podcasts_curated_entry")
    .select("podcast_id")
    .where("account", "=", account)
    .where("list_id", "=", listId)
    .orderBy("position")
    .execute();
  return rows.map(({ podcast_id }) => podcast_id);
}

export async function putCurated(
  db: Db,
  account: string,
  list: CuratedRow,
  podcastIds: readonly string[],
): Promise<void> {
  await removeCurated(db, account, list.id);
  await db
    .insertInto("podcasts_curated")
    .values({ ...list, account })
    .execute();
  const rows = podcastIds.map((podcast_id, position) => ({
    account,
    list_id: list.id,
    position,
    podcast_id,
  }));
  if (rows.length > 0) await db.insertInto("podcasts_curated_entry").values(rows).execute();
}
export async function removeCurated(db: Db, account: string, id: string): Promise<void> {
  await db
    .deleteFrom("podcasts_curated_entry")
    .where("account", "=", account)
    .where("list_id", "=", id)
    .execute();
  await db.deleteFrom("podcasts_curated").where("account", "=", account).where("id", "=", id).execute();
}
