/** Deletes expired sessions, application codes and old request ids. */
import type { Db } from "./db.ts";

export async function deletePast(db: Db, nowMs: number, requestIdsBeforeMs: number): Promise<void> {
  await db.deleteFrom("bank_session").where("expires_at", "<=", nowMs).execute();
  await db.deleteFrom("bank_oauth_code").where("expires_at", "<=", nowMs).execute();
  await db.deleteFrom("bank_request_id").where("created_at", "<", requestIdsBeforeMs).execute();
}
