/** The outbox keeps the newest messages of each account. Undelivered ones always stay. */
import type { Kysely } from "kysely";
import type { KernelTables } from "../runtime/tables.ts";

export const MESSAGES_KEPT_MAX = 20_000;

export async function pruneOutbox(db: Kysely<KernelTables>, keptMax = MESSAGES_KEPT_MAX): Promise<void> {
  const crowded = await db
    .selectFrom("medley_outbox")
    .select("account")
    .groupBy("account")
    .having(({ fn }) => fn.countAll(), ">", keptMax)
    .execute();
  for (const { account } of crowded) await pruneAccount(db, account, keptMax);
}

async function pruneAccount(db: Kysely<KernelTables>, account: string, keptMax: number): Promise<void> {
  const border = await db
    .selectFrom("medley_outbox")
    .select("id")
    .where("account", "=", account)
    .orderBy("id", "desc")
    .offset(keptMax)
    .limit(1)
    .executeTakeFirst();
  if (!border) return;
  await db
    .deleteFrom("medley_outbox")
    .where("account", "=", account)
    .where("id", "<=", border.id)
    .where("state", "!=", "waiting")
    .execute();
}
