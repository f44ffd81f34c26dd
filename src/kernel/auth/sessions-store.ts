/** All SQL on the sessions of people who signed in at the console. */
import type { Kysely } from "kysely";
import type { KernelTables, SessionRow } from "../runtime/tables.ts";

type Db = Kysely<KernelTables>;

export const findSession = (db: Db, digest: string): Promise<SessionRow | undefined> =>
  db.selectFrom("medley_session").selectAll().where("digest", "=", digest).executeTakeFirst();

/** Deletes expired sessions, and the oldest of the account beyond the limit. */
export async function insertSession(db: Db, row: SessionRow, ofAccountMax: number): Promise<void> {
  await db.deleteFrom("medley_session").where("expires_at", "<=", row.created_at).execute();
  const newest = await db
    .selectFrom("medley_session")
    .select("digest")
    .where("account", "=", row.account)
    .orderBy("created_at", "desc")
    .orderBy("digest")
    .limit(ofAccountMax - 1)
    .execute();
  const kept = newest.map(({ digest }) => digest);
  let older = db.deleteFrom("medley_session").where("account", "=", row.account);
  if (kept.length > 0) older = older.where("digest", "not in", kept);
  await older.execute();
  await db.insertInto("medley_session").values(row).execute();
}

export async function deleteSession(db: Db, digest: string): Promise<void> {
  await db.deleteFrom("medley_session").where("digest", "=", digest).execute();
}
