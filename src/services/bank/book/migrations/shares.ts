/** Accounts that are shared with others. */
import type { Kysely } from "kysely";
import { createIndex, createTable } from "#kernel/db";

export async function createShares(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "bank_share",
    {
      account: "text",
      id: "integer",
      ledger_id: "integer",
      owner_id: "integer",
      user_id: "integer",
      access: "text",
      status: "text",
      starts_at: "integer?",
      ends_at: "integer?",
      details: "text",
      created_at: "integer",
      updated_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "bank_share", "by_ledger", ["account", "ledger_id", "id"]);
  await createIndex(db, "bank_share", "by_user", ["account", "user_id", "id"]);
}
