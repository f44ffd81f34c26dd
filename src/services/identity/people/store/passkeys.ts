/** All SQL on passkeys and the challenges they answer. */
import type { Kysely } from "kysely";
import type { ChallengeRow, PasskeyRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export const listPasskeys = (db: Db, userId: string, limit: number) =>
  db
    .selectFrom("identity_passkey")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("credential_id")
    .limit(limit)
    .execute();
export const findPasskey = (db: Db, credentialId: string) =>
  db.selectFrom("identity_passkey").selectAll().where("credential_id", "=", credentialId).executeTakeFirst();
export async function insertPasskey(db: Db, row: PasskeyRow): Promise<boolean> {
  const result = await db
    .insertInto("identity_passkey")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
export const notePasskeyUse = (db: Db, credentialId: string, counter: number, nowMs: number) =>
  db
    .updateTable("identity_passkey")
    .set({ counter, used_at: nowMs })
    .where("credential_id", "=", credentialId)
    .execute();
export async function deletePasskeyOf(db: Db, userId: string, credentialId: string): Promise<boolean> {
  const result = await db
    .deleteFrom("identity_passkey")
    .where("user_id", "=", userId)
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export const insertChallenge = (db: Db, row: ChallengeRow) =>
  db.insertInto("identity_challenge").values(row).execute();
/** Challenges are single-use: a concurrent request cannot take the same one. */
export async function takeChallenge(
  db: Db,
  wanted: Pick<ChallengeRow, "challenge" | "purpose"> & { readonly browserDigests: readonly string[] },
  nowMs: number,
): Promise<boolean> {
  const result = await db
    .deleteFrom("identity_challenge")
    .where("challenge", "=", wanted.challenge)
    .where("purpose", "=", wanted.purpose)
    .where("browser_digest", "in", wanted.browserDigests)
    .where("expires_at", ">", nowMs)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
