/** Tables for public pages, exchange rates, and payments to people who are not users yet. */
import type { Kysely } from "kysely";
import { createTable } from "#kernel/db";

export async function createOpenPages(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "bank_open_page",
    { account: "text", uuid: "text", kind: "text", record_id: "integer", created_at: "integer" },
    ["uuid"],
  );
  await createTable(
    db,
    "bank_rate",
    { account: "text", currency: "text", rate: "text", updated_at: "integer" },
    ["account", "currency"],
  );
  await createTable(
    db,
    "bank_waiting",
    { account: "text", type: "text", value: "text", payment_id: "integer" },
    ["account", "type", "value", "payment_id"],
  );
}
