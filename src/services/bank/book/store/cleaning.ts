/** What has ended is deleted: sessions, codes of applications, and the names of requests of long ago. */
import type { Db } from "./db.ts";

export async function deletePast(db: Db, nowMs: number, requestIdsBeforeMs: number): Promise<void> {
  await db.deleteFrom("bank_session").where("expires_at", "<=", nowMs).execute();
  await db.deleteFrom("bank_oauth_code").where("expires_at", "<=", nowMs).execute();
  await db.deleteFrom("bank_request_id").where("created_at", "<", requestIdsBeforeMs).execute();
}
