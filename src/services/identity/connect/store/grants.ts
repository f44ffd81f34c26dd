/** All SQL on grants and revocations. */
import { type Kysely, sql } from "kysely";
import { deleteSome, queriesOf } from "#kernel/db";
import type { GrantRow, RevocationRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledInsert, compiledQuery } = queriesOf<Db>();

export const insertGrant = compiledInsert<GrantRow>("identity_grant", [
  "id",
  "account",
  "client_id",
  "user_id",
  "session_id",
  "scopes",
  "auth_time",
  "methods",
  "redirect_uri",
  "nonce",
  "claims",
  "code_digest",
  "code_challenge",
  "code_challenge_method",
  "code_expires_at",
  "code_used_at",
  "created_at",
  "expires_at",
]);
const selectByCode = compiledQuery<GrantRow, [string]>([""], (db, codeDigest) =>
  db.selectFrom("identity_grant").selectAll().where("code_digest", "=", codeDigest),
);
export const findGrantByCode = async (db: Db, codeDigest: string): Promise<GrantRow | undefined> =>
  (await selectByCode(db, codeDigest))[0];

const useCode = compiledQuery<never, [number, number, string]>([0, 0, ""], (db, nowMs, expiresAtMs, id) =>
  db.updateTable("identity_grant").set({ code_used_at: nowMs, expires_at: expiresAtMs }).where("id", "=", id),
);
export async function markCodeUsed(db: Db, id: string, nowMs: number, expiresAtMs: number): Promise<void> {
  await useCode(db, nowMs, expiresAtMs, id);
}
export const findGrant = (db: Db, id: string): Promise<GrantRow | undefined> =>
  db.selectFrom("identity_grant").selectAll().where("id", "=", id).executeTakeFirst();
export async function deleteGrant(db: Db, id: string): Promise<void> {
  await db.deleteFrom("identity_grant").where("id", "=", id).execute();
}

export async function insertRevocation(db: Db, row: RevocationRow): Promise<void> {
  await db
    .insertInto("identity_revocation")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
/** Every live grant of the person (with one client, or with all) is revoked and gone. */
export async function revokeGrantsOf(
  db: Db,
  whose: { readonly userId: string; readonly clientId?: string },
  revokedAtMs: number,
): Promise<void> {
  let grants = db.selectFrom("identity_grant").where("user_id", "=", whose.userId);
  let gone = db.deleteFrom("identity_grant").where("user_id", "=", whose.userId);
  if (whose.clientId !== undefined) {
    grants = grants.where("client_id", "=", whose.clientId);
    gone = gone.where("client_id", "=", whose.clientId);
  }
  await db
    .insertInto("identity_revocation")
    .columns(["subject", "account", "revoked_at", "expires_at"])
    .expression(
      grants.select([
        sql<string>`'grant:' || id`.as("subject"),
        "account",
        sql<number>`cast(${revokedAtMs} as bigint)`.as("revoked_at"),
        "expires_at",
      ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await gone.execute();
}
export async function deleteGrantsOfClient(db: Db, clientId: string): Promise<void> {
  await db.deleteFrom("identity_grant").where("client_id", "=", clientId).execute();
}
export const listRevokedSince = (db: Db, sinceMs: number) =>
  db
    .selectFrom("identity_revocation")
    .select(["subject", "expires_at"])
    .where("revoked_at", ">=", sinceMs)
    .execute();

/** Deletes some expired grants and revocations. Returns whether there may be more. */
export async function deleteExpiredGrants(db: Db, nowMs: number): Promise<boolean> {
  let isMore = false;
  for (const table of ["identity_grant", "identity_revocation"] as const)
    if (await deleteSome(db, table, (rows) => rows.where("expires_at", "<=", nowMs))) isMore = true;
  return isMore;
}
