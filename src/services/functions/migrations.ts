/** Forward migrations; one that was released is never changed. */
import { type Kysely, sql } from "kysely";
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-functions": {
    async up(db) {
      await createTable(
        db,
        "functions_function",
        {
          account: "text",
          project: "text",
          location: "text",
          function_id: "text",
          slug: "text",
          definition: "text",
          triggered: "integer",
          state: "text",
          state_messages: "text",
          generation: "integer",
          revision: "text?",
          busy_with: "text?",
          upgrade: "text?",
          policy: "text",
          created_at: "integer",
          updated_at: "integer",
        },
        ["account", "project", "location", "function_id"],
      );
      await createIndex(db, "functions_function", "by_slug", ["slug"], { unique: true });
      await createIndex(db, "functions_function", "by_trigger", ["account", "triggered"]);
      await createTable(
        db,
        "functions_revision",
        {
          account: "text",
          slug: "text",
          revision: "text",
          blob_id: "text",
          definition: "text",
          created_at: "integer",
        },
        ["account", "slug", "revision"],
      );
      await createIndex(db, "functions_revision", "by_blob", ["account", "blob_id"]);
      await createTable(
        db,
        "functions_operation",
        {
          account: "text",
          id: "text",
          project: "text",
          location: "text",
          function_id: "text",
          verb: "text",
          metadata: "text",
          response: "text?",
          error: "text?",
          done: "integer",
          created_at: "integer",
          ended_at: "integer?",
        },
        ["account", "id"],
      );
      await createIndex(db, "functions_operation", "by_project", ["account", "project", "id"]);
      await createIndex(db, "functions_operation", "by_age", ["account", "done", "created_at"]);
      await createContentTables(db);
    },
  },
  "002-dependencies": {
    async up(db) {
      await db.schema.alterTable("functions_revision").addColumn("dependencies_blob_id", "text").execute();
    },
  },
  "003-latest-lines": {
    async up(db) {
      await createIndex(db, "functions_log", "by_id", ["account", "id"]);
    },
  },
  "004-traffic": {
    async up(db) {
      await db.schema.alterTable("functions_function").addColumn("traffic", "text").execute();
      await db.schema.alterTable("functions_revision").addColumn("ready_at", "integer").execute();
      await sql`UPDATE functions_revision SET ready_at = created_at WHERE EXISTS (
        SELECT 1 FROM functions_function AS one WHERE one.account = functions_revision.account
        AND one.slug = functions_revision.slug AND one.revision = functions_revision.revision)`.execute(db);
    },
  },
};

// biome-ignore lint/suspicious/noExplicitAny: a migration sees tables as they were, not as they are.
async function createContentTables(db: Kysely<any>): Promise<void> {
  await createTable(
    db,
    "functions_object",
    {
      account: "text",
      bucket: "text",
      object: "text",
      generation: "integer",
      blob_id: "text",
      size: "integer",
      created_at: "integer",
    },
    ["account", "bucket", "object", "generation"],
  );
  await createIndex(db, "functions_object", "by_age", ["account", "created_at"]);
  await createIndex(db, "functions_object", "by_blob", ["account", "blob_id"]);
  await createTable(
    db,
    "functions_log",
    {
      account: "text",
      slug: "text",
      id: "text",
      at: "integer",
      severity: "text",
      text: "text",
      revision: "text",
      instance: "text",
    },
    ["account", "slug", "id"],
  );
  await createTable(
    db,
    "functions_secret",
    {
      account: "text",
      project: "text",
      secret: "text",
      version: "integer",
      value: "text",
      created_at: "integer",
    },
    ["account", "project", "secret", "version"],
  );
}
