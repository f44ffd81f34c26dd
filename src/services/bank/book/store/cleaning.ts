/** Deletes expired sessions, application codes and old request ids. */
import { deleteSome } from "#kernel/db";
import type { Db } from "./db.ts";

/** Deletes some. Returns whether there may be more. */
export async function deletePast(db: Db, nowMs: number, requestIdsBeforeMs: number): Promise<boolean> {
  let isMore = false;
  for (const table of ["bank_session", "bank_oauth_code"] as const)
    if (await deleteSome(db, table, (rows) => rows.where("expires_at", "<=", nowMs))) isMore = true;
  const areMore = await deleteSome(db, "bank_request_id", (ids) =>
    ids.where("created_at", "<", requestIdsBeforeMs),
  );
  return isMore || areMore;
}
