/** All SQL on counted attempts. */
import type { Kysely } from "kysely";
import { deleteSome } from "#kernel/db";
import type { AttemptRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export const findAttempts = (db: Db, key: string) =>
  db.selectFrom("identity_attempt").selectAll().where("key", "=", key).executeTakeFirst();
export async function putAttempts(db: Db, row: AttemptRow): Promise<void> {
  const { key: _key, ...changing } = row;
  await db
    .insertInto("identity_attempt")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doUpdateSet(changing))
    .execute();
}
export const deleteAttempts = (db: Db, key: string) =>
  db.deleteFrom("identity_attempt").where("key", "=", key).execute();

/** Some of what has run out, of every kind. Returns whether there may be more. */
export async function deleteExpired(db: Db, nowMs: number): Promise<boolean> {
  let isMore = await deleteSome(db, "identity_attempt", (rows) => rows.where("window_ends_at", "<=", nowMs));
  for (const table of ["identity_session", "identity_mail_token", "identity_challenge"] as const)
    if (await deleteSome(db, table, (rows) => rows.where("expires_at", "<=", nowMs))) isMore = true;
  return isMore;
}
