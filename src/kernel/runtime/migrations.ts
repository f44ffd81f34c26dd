/** The kernel's own tables. */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import { addObjectColumn, createIndex, createTable } from "../db/create-table.ts";
import { rewriteColumn } from "../db/rewrite-column.ts";
import type { Migration } from "../operation/service.ts";
import { createManagedResources } from "../resource-provider/migrations.ts";

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await createTable(db, "medley_setting", { name: "text", value: "text" }, ["name"]);
  await createTable(
    db,
    "medley_account",
    { id: "text", name: "text", admin: "integer", created_at: "integer" },
    ["id"],
  );
  await createTable(
    db,
    "medley_credential",
    {
      id: "text",
      account: "text",
      kind: "text",
      lookup: "text",
      secret: "text?",
      name: "text",
      scopes: "text?",
      session_token: "text?",
      expires_at: "integer?",
      created_at: "integer",
    },
    ["id"],
  );
  await db.schema
    .createIndex("medley_credential_lookup")
    .unique()
    .on("medley_credential")
    .columns(["kind", "lookup"])
    .execute();
  await createIndex(db, "medley_credential", "account", ["account", "id"]);
  await createTable(
    db,
    "medley_policy",
    { account: "text", position: "integer", effect: "text", actions: "text", resources: "text" },
    ["account", "position"],
  );
  await createTable(
    db,
    "medley_owner",
    { kind: "text", name: "text", account: "text", created_at: "integer" },
    ["kind", "name"],
  );
}

async function createWork(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "medley_job",
    {
      id: "text",
      account: "text",
      service: "text",
      name: "text",
      dedupe_key: "text?",
      payload: "text",
      state: "text",
      run_at: "integer",
      attempts: "integer",
      lease_owner: "text?",
      lease_until: "integer?",
      error: "text?",
      created_at: "integer",
      finished_at: "integer?",
    },
    ["id"],
  );
  await createIndex(db, "medley_job", "due", ["state", "run_at", "id"]);
  await createIndex(db, "medley_job", "finished", ["state", "finished_at"]);
  await db.schema.createIndex("medley_job_key").unique().on("medley_job").columns(["dedupe_key"]).execute();
  await createTable(
    db,
    "medley_operation",
    {
      id: "text",
      account: "text",
      service: "text",
      kind: "text",
      target: "text",
      status: "text",
      metadata: "text",
      result: "text?",
      error: "text?",
      created_at: "integer",
      updated_at: "integer",
      ended_at: "integer?",
    },
    ["id"],
  );
  await createIndex(db, "medley_operation", "target", ["account", "service", "target", "id"]);
}

async function createContent(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "medley_blob",
    {
      id: "text",
      account: "text",
      service: "text",
      type: "text",
      size: "integer",
      sha256: "text",
      created_at: "integer",
    },
    ["id"],
  );
  await createTable(
    db,
    "medley_blob_chunk",
    { blob_id: "text", position: "integer", account: "text", service: "text", bytes: "blob" },
    ["blob_id", "position"],
  );
  await createTable(
    db,
    "medley_outbox",
    {
      id: "text",
      account: "text",
      service: "text",
      kind: "text",
      target: "text",
      subject: "text?",
      headers: "text",
      body: "text",
      blob_id: "text?",
      delivery: "text?",
      state: "text",
      attempts: "integer",
      answer_status: "integer?",
      error: "text?",
      created_at: "integer",
      delivered_at: "integer?",
    },
    ["id"],
  );
  await createIndex(db, "medley_outbox", "account", ["account", "id"]);
}

async function createCatalog(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "medley_resource",
    {
      account: "text",
      arn: "text",
      region: "text",
      service: "text",
      type: "text",
      name: "text",
      native_id: "text?",
      stack: "text?",
      tags: "text",
      details: "text",
      external: "integer",
      created_at: "integer",
      updated_at: "integer",
    },
    ["account", "arn"],
  );
  await createIndex(db, "medley_resource", "region", ["account", "region", "arn"]);
  await createIndex(db, "medley_resource", "type", ["account", "region", "type", "arn"]);
  await createIndex(db, "medley_resource", "stack", ["account", "stack", "arn"]);
  await createTable(
    db,
    "medley_resource_tag",
    {
      account: "text",
      region: "text",
      service: "text",
      key: "text",
      value: "text",
      type: "text",
      arn: "text",
    },
    ["account", "arn", "key"],
  );
  await createIndex(db, "medley_resource_tag", "key", ["account", "region", "key", "arn"]);
  await createIndex(db, "medley_resource_tag", "value", ["account", "region", "key", "value", "arn"]);
  await createIndex(db, "medley_resource_tag", "type", ["account", "region", "key", "value", "type", "arn"]);
  await createCatalogChanges(db);
}

async function createCatalogChanges(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "medley_resource_watch",
    { account: "text", service: "text", region: "text", job: "text" },
    ["account", "service", "region"],
  );
  await createTable(
    db,
    "medley_resource_change",
    {
      id: "text",
      account: "text",
      service: "text",
      region: "text",
      arn: "text",
      before: "text?",
      after: "text?",
      created_at: "integer",
    },
    ["id"],
  );
  await createIndex(db, "medley_resource_change", "watch", ["account", "service", "region", "id"]);
}

/** A key is unique within its service and account, which every row names. */
async function scopeJobKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("medley_job_key").execute();
  await createIndex(db, "medley_job", "scoped_key", ["service", "account", "dedupe_key"], { unique: true });
}

async function letMessagesBeReceived(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("medley_outbox").addColumn("acknowledged_at", "integer").execute();
  await createIndex(db, "medley_outbox", "target", ["account", "kind", "target", "id"]);
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "medley_session",
    {
      digest: "text",
      account: "text",
      kind: "text",
      credential: "text",
      stamp: "text",
      name: "text",
      created_at: "integer",
      expires_at: "integer",
    },
    ["digest"],
  );
  await createIndex(db, "medley_session", "account", ["account", "created_at"]);
}

async function createSnapshots(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "medley_snapshot",
    {
      name: "text",
      id: "text",
      service: "text?",
      account: "text?",
      bytes: "integer",
      rows: "integer",
      created_at: "integer",
    },
    ["name"],
  );
  await createTable(
    db,
    "medley_snapshot_chunk",
    { id: "text", position: "integer", created_at: "integer", bytes: "blob" },
    ["id", "position"],
  );
}

/** For the resource browser: those of one kind in each of its orders. A search looks in their names. */
async function sortResources(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, "medley_resource", "kind", ["account", "service", "type", "arn"]);
  await createIndex(db, "medley_resource", "kind_updated", [
    "account",
    "service",
    "type",
    "updated_at",
    "arn",
  ]);
  const name = sql`substr(name, 1, 60)`;
  await sql`create index medley_resource_kind_name on medley_resource (account, service, type, ${name}, arn)`.execute(
    db,
  );
  await sql`create index medley_resource_long_name on medley_resource (account, arn) where length(name) > 60`.execute(
    db,
  );
  await sql`create index medley_resource_referring on medley_resource (account, arn)
    where (details like '%arn:%' or details like '%/subscriptions/%')`.execute(db);
}

/**
 * An index for text inside names, if PostgreSQL has the extension and allows to create it. Otherwise a search scans
 * all names. SQLite's own index of that kind refers to rows by a number that may change.
 */
async function indexParts(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`savepoint parts`.execute(db);
  try {
    await sql`create extension if not exists pg_trgm`.execute(db);
    await sql`create index medley_resource_part on medley_resource
      using gin (lower(arn || chr(10) || name) gin_trgm_ops)`.execute(db);
  } catch {
    await sql`rollback to savepoint parts`.execute(db);
  }
  await sql`release savepoint parts`.execute(db);
}

/** On SQLite a search scans names in this index alone, in any order. PostgreSQL would read the rows anyway. */
async function addChangesToNames(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return;
  await db.schema.dropIndex("medley_resource_kind_name").execute();
  await sql`create index medley_resource_kind_name
    on medley_resource (account, service, type, substr(name, 1, 60), arn, updated_at)`.execute(db);
}

/** Chunks may lie in an object store. The index is empty without one. */
async function letObjectsHoldBytes(db: Kysely<unknown>): Promise<void> {
  await addObjectColumn(db, "medley_blob_chunk");
  await createTable(db, "medley_unnamed_object", { name: "text", noticed_at: "integer" }, ["name"]);
}

export const kernelMigrations: Readonly<Record<string, Migration>> = {
  "001-kernel": {
    async up(db) {
      await createAccounts(db);
      await createWork(db);
      await createContent(db);
      await createCatalog(db);
    },
  },
  "002-managed-resources": { up: createManagedResources },
  "003-job-lanes": {
    up: (db) => createIndex(db, "medley_job", "lane", ["state", "name", "run_at", "id", "account"]),
  },
  "004-job-keys": { up: scopeJobKeys },
  "005-sealed-secrets": {
    async up(db, tools) {
      const sealed = async (text: string) => (await tools.secrets()).seal(text);
      await rewriteColumn(db, { table: "medley_credential", key: ["id"], column: "session_token" }, sealed);
      await rewriteColumn(db, { table: "medley_outbox", key: ["id"], column: "delivery" }, async (text) => {
        const { secret, ...delivery } = JSON.parse(text);
        return secret === undefined ? text : JSON.stringify({ ...delivery, secret: await sealed(secret) });
      });
    },
  },
  "006-outbox-receiving": { up: letMessagesBeReceived },
  "007-sessions": { up: createSessions },
  "008-snapshots": { up: createSnapshots },
  "009-outbox-deliveries": {
    up: (db) => db.schema.alterTable("medley_outbox").addColumn("deliveries", "text").execute(),
  },
  "010-sorted-resources": { up: sortResources },
  "011-parts-of-names": { up: indexParts },
  "012-changes-beside-names": { up: addChangesToNames },
  "013-objects": { up: letObjectsHoldBytes },
};
