/** Forward migrations; one that was released is never changed. */
import { type Kysely, sql } from "kysely";
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";
import { createAttachments } from "./migrations/attachments.ts";
import { createCards } from "./migrations/cards.ts";
import { addUsersToCatalog } from "./migrations/catalog.ts";
import { createOauth } from "./migrations/oauth.ts";
import { createOpenPages } from "./migrations/payments.ts";
import { createShares } from "./migrations/shares.ts";

async function createUsers(db: Kysely<unknown>): Promise<void> {
  await createTable(db, "bank_sequence", { account: "text", next: "integer" }, ["account"]);
  await createTable(
    db,
    "bank_user",
    {
      account: "text",
      id: "integer",
      kind: "text",
      public_uuid: "text",
      is_default: "integer",
      status: "text",
      display_name: "text",
      country: "text",
      session_seconds: "integer",
      certificate: "text",
      details: "text",
      created_at: "integer",
      updated_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "bank_user", "by_default", ["account", "is_default"]);
  await createIndex(db, "bank_user", "by_certificate", ["account", "certificate"]);
  await createTable(
    db,
    "bank_alias",
    { account: "text", type: "text", value: "text", name: "text", user_id: "integer", ledger_id: "integer" },
    ["account", "type", "value"],
  );
  await createIndex(db, "bank_alias", "by_ledger", ["account", "ledger_id"]);
  await createIndex(db, "bank_alias", "by_user", ["account", "user_id"]);
  await createTable(
    db,
    "bank_key",
    {
      hash: "text",
      account: "text",
      id: "integer",
      user_id: "integer",
      oauth_client_id: "integer?",
      description: "text",
      permitted_ips: "text",
      status: "text",
      created_at: "integer",
      updated_at: "integer",
    },
    ["hash"],
  );
  await createIndex(db, "bank_key", "by_user", ["account", "user_id"]);
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "bank_server_key",
    { account: "text", public_key: "text", private_key: "text", created_at: "integer" },
    ["account"],
  );
  await createTable(
    db,
    "bank_installation",
    { account: "text", id: "integer", public_key: "text", created_at: "integer" },
    ["account", "id"],
  );
  await createTable(
    db,
    "bank_device",
    {
      account: "text",
      id: "integer",
      installation_id: "integer",
      user_id: "integer",
      description: "text",
      permitted_ips: "text",
      ip: "text",
      created_at: "integer",
      updated_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "bank_device", "by_installation", ["account", "installation_id", "user_id"]);
  await createTable(
    db,
    "bank_session",
    {
      hash: "text",
      account: "text",
      id: "integer",
      user_id: "integer",
      installation_id: "integer",
      device_id: "integer",
      key_id: "integer",
      timeout_seconds: "integer",
      expires_at: "integer",
      created_at: "integer",
    },
    ["hash"],
  );
  await createIndex(db, "bank_session", "by_installation", ["account", "installation_id", "user_id"]);
  await createIndex(db, "bank_session", "by_end", ["expires_at"]);
  await createTable(
    db,
    "bank_request_id",
    { account: "text", device_id: "integer", request_id: "text", created_at: "integer" },
    ["account", "device_id", "request_id"],
  );
  await createIndex(db, "bank_request_id", "by_time", ["created_at"]);
}

async function createLedger(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "bank_ledger",
    {
      account: "text",
      id: "integer",
      user_id: "integer",
      kind: "text",
      currency: "text",
      balance: "integer",
      overdraft_limit: "integer",
      daily_limit: "integer",
      serial: "integer",
      spent: "integer",
      paid_count: "integer",
      status: "text",
      sub_status: "text",
      iban: "text",
      public_uuid: "text",
      display_name: "text",
      description: "text",
      details: "text",
      created_at: "integer",
      updated_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "bank_ledger", "by_user", ["account", "user_id", "id"]);
  await createIndex(db, "bank_ledger", "by_kind", ["account", "user_id", "kind", "currency"]);
  await createTable(
    db,
    "bank_movement",
    { account: "text", id: "integer", kind: "text", created_at: "integer" },
    ["account", "id"],
  );
  await createTable(
    db,
    "bank_entry",
    {
      account: "text",
      ledger_id: "integer",
      serial: "integer",
      movement_id: "integer",
      amount: "integer",
      balance_after: "integer",
      spent_after: "integer",
      created_at: "integer",
    },
    ["account", "ledger_id", "serial"],
  );
  await createIndex(db, "bank_entry", "by_time", ["account", "ledger_id", "created_at", "serial"]);
}
async function createPayments(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "bank_payment",
    {
      account: "text",
      id: "integer",
      ledger_id: "integer",
      movement_id: "integer",
      amount: "integer",
      currency: "text",
      balance_after: "integer",
      type: "text",
      sub_type: "text",
      alias: "text",
      counterparty: "text",
      description: "text",
      batch_id: "integer?",
      scheduled_id: "integer?",
      arrival: "text",
      category: "text",
      details: "text",
      created_at: "integer",
      updated_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "bank_payment", "by_ledger", ["account", "ledger_id", "id"]);
  // A partial index: few payments belong to a batch, and the others add nothing to the index.
  await db.schema
    .createIndex("bank_payment_by_batch")
    .on("bank_payment")
    .columns(["account", "batch_id"])
    .where(sql.ref("batch_id"), "is not", null)
    .execute();
  await createTable(
    db,
    "bank_insight",
    {
      account: "text",
      user_id: "integer",
      hour_at: "integer",
      category: "text",
      currency: "text",
      amount: "integer",
      count: "integer",
    },
    ["account", "user_id", "hour_at", "category", "currency"],
  );
}

async function createRecords(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "bank_record",
    {
      account: "text",
      kind: "text",
      id: "integer",
      user_id: "integer",
      owner_id: "integer",
      status: "text",
      body: "text",
      created_at: "integer",
      updated_at: "integer",
    },
    ["account", "kind", "id"],
  );
  await createIndex(db, "bank_record", "by_owner", ["account", "kind", "user_id", "owner_id", "id"]);
  await createTable(
    db,
    "bank_event",
    {
      account: "text",
      id: "integer",
      user_id: "integer",
      ledger_id: "integer",
      action: "text",
      status: "text",
      category: "text",
      object_kind: "text",
      object_id: "integer",
      body: "text",
      created_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "bank_event", "by_user", ["account", "user_id", "id"]);
  await createTable(
    db,
    "bank_filter",
    {
      account: "text",
      id: "integer",
      user_id: "integer",
      ledger_id: "integer",
      method: "text",
      category: "text",
      target: "text",
      created_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "bank_filter", "by_user", ["account", "user_id", "id"]);
}

export const migrations: Readonly<Record<string, Migration>> = {
  "001-users": { up: createUsers },
  "002-sessions": { up: createSessions },
  "003-ledger": {
    async up(db) {
      await createLedger(db);
      await createPayments(db);
    },
  },
  "004-records": { up: createRecords },
  "005-shares": { up: createShares },
  "006-attachments": { up: createAttachments },
  "007-oauth": { up: createOauth },
  "020-cards": { up: createCards },
  "010-open-pages": { up: createOpenPages },
  "021-catalog": { up: addUsersToCatalog },
};
