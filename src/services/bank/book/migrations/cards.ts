/** Tables for card data besides the card records. */
import type { Kysely } from "kysely";
import { createIndex, createTable } from "#kernel/db";

export async function createCards(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "bank_card_secret",
    { account: "text", owner_id: "integer", kind: "text", value: "text" },
    ["account", "owner_id", "kind"],
  );
  await createTable(
    db,
    "bank_card_use",
    {
      account: "text",
      action_id: "integer",
      card_id: "integer",
      ledger_id: "integer",
      amount: "integer",
      is_atm: "integer",
      created_at: "integer",
    },
    ["account", "action_id"],
  );
  await createIndex(db, "bank_card_use", "by_card", ["account", "card_id", "created_at"]);
}
