/** All SQL on requests that wait for a person. */
import type { Kysely } from "kysely";
import { deleteSome } from "#kernel/db";
import type { InteractionRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export async function insertInteraction(db: Db, row: InteractionRow): Promise<void> {
  await db.insertInto("identity_interaction").values(row).execute();
}
export const findInteractionRow = (db: Db, id: string): Promise<InteractionRow | undefined> =>
  db.selectFrom("identity_interaction").selectAll().where("id", "=", id).executeTakeFirst();
export async function updateInteraction(db: Db, id: string, change: Partial<InteractionRow>): Promise<void> {
  await db.updateTable("identity_interaction").set(change).where("id", "=", id).execute();
}
export async function deleteInteraction(db: Db, id: string): Promise<boolean> {
  const result = await db.deleteFrom("identity_interaction").where("id", "=", id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}
/** Deletes some expired interactions. Returns whether there may be more. */
export const deleteExpiredInteractions = (db: Db, nowMs: number): Promise<boolean> =>
  deleteSome(db, "identity_interaction", (rows) => rows.where("expires_at", "<=", nowMs));
