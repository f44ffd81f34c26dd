/** The outbox keeps the newest messages to be read; what still waits for its delivery always stays. */
import type { Kysely } from "kysely";
import type { KernelTables } from "../runtime/tables.ts";

const KEPT_MAX = 20_000;

export async function pruneOutbox(db: Kysely<KernelTables>): Promise<void> {
  const border = await db
    .selectFrom("medley_outbox")
    .select("id")
    .orderBy("id", "desc")
    .offset(KEPT_MAX)
    .limit(1)
    .executeTakeFirst();
  if (!border) return;
  await db.deleteFrom("medley_outbox").where("id", "<=", border.id).where("state", "!=", "waiting").execute();
}
