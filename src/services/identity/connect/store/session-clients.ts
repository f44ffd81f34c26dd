/** All SQL on which applications a session is known to. */
import type { Kysely } from "kysely";
import type { SessionClientRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export async function putSessionClient(db: Db, row: SessionClientRow): Promise<void> {
  await db
    .insertInto("identity_session_client")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["session_id", "client_id"]).doUpdateSet({ issuer: row.issuer }),
    )
    .execute();
}
export const listSessionClients = (db: Db, sessionId: string): Promise<SessionClientRow[]> =>
  db
    .selectFrom("identity_session_client")
    .selectAll()
    .where("session_id", "=", sessionId)
    .orderBy("client_id")
    .execute();
export async function deleteSessionClients(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom("identity_session_client").where("session_id", "=", sessionId).execute();
}
export async function deleteSessionsOfClient(db: Db, clientId: string): Promise<void> {
  await db.deleteFrom("identity_session_client").where("client_id", "=", clientId).execute();
}
export async function findEndOfSession(db: Db, sessionId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("identity_session")
    .select("expires_at")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return row?.expires_at;
}
/** Sessions that have expired, or that ended while an application was being recorded. */
export async function listEndedSessions(db: Kysely<Tables>, nowMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("identity_session_client")
    .leftJoin("identity_session", (join) =>
      join
        .onRef("identity_session.id", "=", "identity_session_client.session_id")
        .on("identity_session.expires_at", ">", nowMs),
    )
    .select("identity_session_client.session_id")
    .distinct()
    .where("identity_session.id", "is", null)
    .limit(limit)
    .execute();
  return rows.map(({ session_id }) => session_id);
}
