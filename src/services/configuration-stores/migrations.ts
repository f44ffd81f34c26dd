/** Tables of configuration stores and their data. */
import { type Kysely, sql } from "kysely";
import { type Columns, createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

const CONTENT = {
  key: "text",
  label: "text",
  value: "text?",
  content_type: "text?",
  tags: "text",
  locked: "integer",
  etag: "text",
  last_modified: "integer",
  size: "integer",
} as const satisfies Columns;

async function createStores(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "configuration_store",
    {
      name: "text",
      account: "text",
      tier: "text",
      created_at: "integer",
      used_bytes: "integer",
      measured_at: "integer",
    },
    ["name"],
  );
  await createTable(
    db,
    "configuration_access_key",
    {
      id: "text",
      account: "text",
      store: "text",
      position: "integer",
      name: "text",
      read_only: "integer",
      secret: "text",
      last_modified: "integer",
    },
    ["id"],
  );
  await createIndex(db, "configuration_access_key", "store", ["store", "position"]);
}

async function createValues(db: Kysely<unknown>): Promise<void> {
  await createTable(db, "configuration_value", { account: "text", store: "text", ...CONTENT }, [
    "store",
    "key",
    "label",
  ]);
  await createIndex(db, "configuration_value", "label", ["store", "label", "key"]);
  await createTable(
    db,
    "configuration_revision",
    { account: "text", store: "text", id: "text", deleted: "integer", ...CONTENT },
    ["store", "id"],
  );
  await createIndex(db, "configuration_revision", "newest", ["store", "last_modified", "id"]);
  await createIndex(db, "configuration_revision", "key", ["store", "key", "label", "last_modified", "id"]);
}

async function createSnapshots(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "configuration_snapshot",
    {
      account: "text",
      store: "text",
      name: "text",
      status: "text",
      filters: "text",
      composition: "text",
      tags: "text",
      retention_seconds: "integer",
      created_at: "integer",
      last_modified: "integer",
      expires_at: "integer?",
      size: "integer",
      items: "integer",
      etag: "text",
      error: "text?",
    },
    ["store", "name"],
  );
  await createTable(
    db,
    "configuration_snapshot_item",
    { account: "text", store: "text", snapshot: "text", ...CONTENT },
    ["store", "snapshot", "key", "label"],
  );
}

/** Resource IDs, which policies refer to. */
async function addResourceIdentifiers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("configuration_store")
    .addColumn("resource_id", "text", (column) => column.notNull().defaultTo(""))
    .execute();
  await sql`update configuration_store set resource_id = coalesce(
    (select id from medley_managed_resource
      where type_key = 'vendor.appconfiguration/configurationstores'
      and name_key = configuration_store.name and account = configuration_store.account), '')`.execute(db);
}

/** Network access of stores. */
const addNetworks = (db: Kysely<unknown>): Promise<void> =>
  db.schema
    .alterTable("configuration_store")
    .addColumn("network", "text", (column) => column.notNull().defaultTo("open"))
    .execute();

export const migrations: Readonly<Record<string, Migration>> = {
  "001-configuration-stores": {
    async up(db) {
      await createStores(db);
      await createValues(db);
      await createSnapshots(db);
    },
  },
  "002-resource-identifiers": { up: addResourceIdentifiers },
  "003-networks": { up: addNetworks },
};
