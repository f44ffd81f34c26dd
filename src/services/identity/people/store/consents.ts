/** All SQL on consents. */
import type { Kysely } from "kysely";
import type { ConsentRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export const findConsent = (db: Db, userId: string, clientId: string) =>
  db
    .selectFrom("identity_consent")
    .selectAll()
    .where("user_id", "=", userId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
export const listConsents = (db: Db, userId: string, limit: number) =>
  db
    .selectFrom("identity_consent")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("client_id")
    .limit(limit)
    .execute();
export async function putConsent(db: Db, row: ConsentRow): Promise<void> {
  await db
    .insertInto("identity_consent")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "client_id"])
        .doUpdateSet({ scopes: row.scopes, updated_at: row.updated_at }),
    )
    .execute();
}
export async function deleteConsent(db: Db, userId: string, clientId: string): Promise<boolean> {
  const result = await db
    .deleteFrom("identity_consent")
    .where("user_id", "=", userId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
export const deleteConsentsOfClient = (db: Db, clientId: string) =>
  db.deleteFrom("identity_consent").where("client_id", "=", clientId).execute();
