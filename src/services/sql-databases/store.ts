/** All SQL of dropped databases, which are restorable for a while. */
import type { Kysely } from "kysely";
import type { DroppedRow, Tables } from "./tables.ts";

type Db = Kysely<Tables>;

export async function insertDropped(db: Db, row: DroppedRow, nowMs: number): Promise<void> {
  await db
    .deleteFrom("sql_databases_dropped")
    .where("account", "=", row.account)
    .where("server", "=", row.server)
    .where("expires_at", "<=", nowMs)
    .execute();
  await db
    .insertInto("sql_databases_dropped")
    .values(row)
    // With a frozen clock, one name may be dropped twice at the same instant. The later row replaces the
    // earlier one.
    .onConflict((conflict) =>
      conflict.columns(["account", "server", "name_key", "deleted_at"]).doUpdateSet({
        expires_at: row.expires_at,
        name: row.name,
        location: row.location,
        properties: row.properties,
      }),
    )
    .execute();
}
export async function removeDroppedOf(db: Db, account: string, server: string): Promise<void> {
  await db
    .deleteFrom("sql_databases_dropped")
    .where("account", "=", account)
    .where("server", "=", server)
    .execute();
}
/** The newest with this name, or the one deleted at a given instant. */
export function findDropped(
  db: Db,
  account: string,
  wanted: { server: string; name: string; deletedAtMs?: number; nowMs: number },
) {
  let query = db
    .selectFrom("sql_databases_dropped")
    .selectAll()
    .where("account", "=", account)
    .where("server", "=", wanted.server)
    .where("name_key", "=", wanted.name.toLowerCase())
    .where("expires_at", ">", wanted.nowMs);
  if (wanted.deletedAtMs !== undefined) query = query.where("deleted_at", "=", wanted.deletedAtMs);
  return query.orderBy("deleted_at", "desc").limit(1).executeTakeFirst();
}
/** Ordered by name and deletion time, after a given entry. */
export function listDropped(
  db: Db,
  account: string,
  wanted: {
    server: string;
    nowMs: number;
    after: { name: string; deletedAtMs: number } | undefined;
    limit: number;
  },
): Promise<DroppedRow[]> {
  let query = db
    .selectFrom("sql_databases_dropped")
    .selectAll()
    .where("account", "=", account)
    .where("server", "=", wanted.server)
    .where("expires_at", ">", wanted.nowMs);
  const { after } = wanted;
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("name_key", "deleted_at"), ">", tuple(after.name, after.deletedAtMs)),
    );
  return query.orderBy("name_key").orderBy("deleted_at").limit(wanted.limit).execute();
}
