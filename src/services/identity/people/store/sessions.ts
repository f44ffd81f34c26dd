/** All SQL on browser sessions. */
import type { Kysely } from "kysely";
import type { SessionRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export const findLiveSession = (db: Db, secretDigest: string, nowMs: number) =>
  db
    .selectFrom("identity_session")
    .selectAll()
    .where("secret_digest", "=", secretDigest)
    .where("expires_at", ">", nowMs)
    .executeTakeFirst();
export const listLiveSessions = (db: Db, userId: string, nowMs: number, limit: number) =>
  db
    .selectFrom("identity_session")
    .selectAll()
    .where("user_id", "=", userId)
    .where("expires_at", ">", nowMs)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
export const insertSession = (db: Db, row: SessionRow) =>
  db.insertInto("identity_session").values(row).execute();
export const updateSession = (db: Db, id: string, change: Partial<SessionRow>) =>
  db.updateTable("identity_session").set(change).where("id", "=", id).execute();
export const deleteSession = (db: Db, id: string) =>
  db.deleteFrom("identity_session").where("id", "=", id).execute();
/** Deletes only the user's own. */
export async function deleteSessionOf(db: Db, userId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom("identity_session")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
/** Answers which they were. */
export async function deleteOtherSessions(
  db: Db,
  userId: string,
  keptId: string | undefined,
): Promise<string[]> {
  const all = db.deleteFrom("identity_session").where("user_id", "=", userId);
  const others = keptId === undefined ? all : all.where("id", "!=", keptId);
  return (await others.returning("id").execute()).map(({ id }) => id);
}
/** Keeps the newest; more browsers than this at once are not a person's. Answers which are gone. */
export async function trimSessions(db: Db, userId: string, keptMax: number): Promise<string[]> {
  const surplus = await db
    .selectFrom("identity_session")
    .select("id")
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .offset(keptMax)
    .limit(100)
    .execute();
  for (const { id } of surplus) await deleteSession(db, id);
  return surplus.map(({ id }) => id);
}
