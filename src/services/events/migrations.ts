/** Tables of this service. A released migration never changes. */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

async function createModels(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "events_input",
    {
      account: "text",
      region: "text",
      name: "text",
      description: "text?",
      attributes: "text",
      status: "text",
      created_at: "integer",
      updated_at: "integer",
    },
    ["account", "region", "name"],
  );
  await createTable(
    db,
    "events_model",
    {
      account: "text",
      region: "text",
      kind: "text",
      name: "text",
      id: "text",
      key_path: "text?",
      latest_version: "integer",
      active_version: "integer?",
      created_at: "integer",
    },
    ["account", "region", "kind", "name"],
  );
  await createIndex(db, "events_model", "by_id", ["account", "id"], { unique: true });
  await createTable(
    db,
    "events_version",
    {
      account: "text",
      model_id: "text",
      version: "integer",
      description: "text?",
      role: "text",
      definition: "text",
      status: "text",
      status_message: "text?",
      spelling: "text?",
      created_at: "integer",
      updated_at: "integer",
    },
    ["account", "model_id", "version"],
  );
  await createTable(
    db,
    "events_route",
    {
      account: "text",
      region: "text",
      input: "text",
      model_id: "text",
      kind: "text",
      model: "text",
      key_path: "text?",
    },
    ["account", "region", "input", "model_id"],
  );
  await createIndex(db, "events_route", "by_model", ["account", "model_id"]);
}

/** Microseconds of the database clock, so that nodes with different clocks share one order. */
const acceptedAtOf = (db: Kysely<unknown>) =>
  db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`
    : sql`(cast(unixepoch('subsec') * 1000000 as integer))`;

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("events_message")
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("shard", "integer", (column) => column.notNull())
    .addColumn("accepted_at", "integer", (column) => column.notNull().defaultTo(acceptedAtOf(db)))
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("model_id", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("input", "text", (column) => column.notNull())
    .addColumn("message_id", "text", (column) => column.notNull())
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("sent_at", "integer")
    .addColumn("depth", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("events_message_pk", ["account", "shard", "accepted_at", "id"])
    .execute();
}

async function createInstances(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "events_instance",
    {
      account: "text",
      model_id: "text",
      version: "integer",
      key: "text",
      shard: "integer",
      state_name: "text",
      state: "text",
      recent: "text",
      due_at: "integer?",
      created_at: "integer",
      updated_at: "integer",
    },
    ["account", "model_id", "version", "key"],
  );
  const byState = ["account", "model_id", "version", "state_name", "key"];
  await createIndex(db, "events_instance", "by_state", byState);
  await createIndex(db, "events_instance", "due", ["account", "shard", "due_at"]);
  await createTable(
    db,
    "events_log",
    {
      account: "text",
      id: "text",
      model_id: "text",
      region: "text",
      model: "text",
      key: "text",
      level: "text",
      kind: "text",
      text: "text",
      from_state: "text?",
      to_state: "text?",
      at: "integer",
    },
    ["account", "id"],
  );
}

async function createTheRest(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "events_analysis",
    {
      account: "text",
      region: "text",
      id: "text",
      status: "text",
      definition: "text",
      results: "text",
      created_at: "integer",
    },
    ["account", "region", "id"],
  );
  await createTable(db, "events_logging", { account: "text", region: "text", options: "text" }, [
    "account",
    "region",
  ]);
  await createTable(
    db,
    "events_endpoint",
    { account: "text", arn: "text", url: "text", secret: "text", created_at: "integer" },
    ["account", "arn"],
  );
}

export const migrations: Readonly<Record<string, Migration>> = {
  "001-detectors": {
    async up(db) {
      await createModels(db);
      await createMessages(db);
      await createInstances(db);
      await createTheRest(db);
    },
  },
  "002-seen-messages": {
    async up(db) {
      const columns = {
        account: "text",
        region: "text",
        input: "text",
        message_id: "text",
        seen_at: "integer",
      } as const;
      await createTable(db, "events_seen", columns, ["account", "region", "input", "message_id"]);
      await createIndex(db, "events_seen", "age", ["seen_at"]);
    },
  },
};
