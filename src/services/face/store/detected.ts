/** Detected faces with temporary IDs. */
import type { Kysely } from "kysely";
import { deleteSome } from "#kernel/db";
import type { DetectedRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export async function insertDetected(db: Db, rows: readonly DetectedRow[]): Promise<void> {
  await db.insertInto("face_detected").values(rows).execute();
}

/** Existing faces that are not expired, in no particular order. */
export const listDetected = (
  db: Db,
  account: string,
  ids: readonly string[],
  nowMs: number,
): Promise<DetectedRow[]> =>
  db
    .selectFrom("face_detected")
    .selectAll()
    .where("account", "=", account)
    .where("id", "in", ids)
    .where("expires_at", ">", nowMs)
    .execute();

/** Earliest expiry. */
export async function findNextEnd(db: Db, account: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("face_detected")
    .select("expires_at")
    .where("account", "=", account)
    .orderBy("expires_at")
    .limit(1)
    .executeTakeFirst();
  return row && Number(row.expires_at);
}

/** Deletes some. Returns whether there may be more. */
export const deleteExpired = (db: Db, account: string, nowMs: number): Promise<boolean> =>
  deleteSome(db, "face_detected", (faces) =>
    faces.where("account", "=", account).where("expires_at", "<=", nowMs),
  );
