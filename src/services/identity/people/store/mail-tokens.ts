/** All SQL on the tokens that mails carry. */
import type { Kysely } from "kysely";
import type { MailTokenRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export const findMailToken = (db: Db, digest: string, purpose: string, nowMs: number) =>
  db
    .selectFrom("identity_mail_token")
    .selectAll()
    .where("digest", "=", digest)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", nowMs)
    .executeTakeFirst();
/** Only the newest mail counts. */
export async function replaceMailToken(db: Db, row: MailTokenRow): Promise<void> {
  await deleteMailTokens(db, row.user_id, row.purpose);
  await db.insertInto("identity_mail_token").values(row).execute();
}
export const deleteMailTokens = (db: Db, userId: string, purpose: string) =>
  db.deleteFrom("identity_mail_token").where("user_id", "=", userId).where("purpose", "=", purpose).execute();
/** True for the one caller who gets to use it. */
export async function takeMailToken(db: Db, digest: string): Promise<boolean> {
  const result = await db.deleteFrom("identity_mail_token").where("digest", "=", digest).executeTakeFirst();
  return result.numDeletedRows > 0n;
}
