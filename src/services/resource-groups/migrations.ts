/** Tables of this service. */
import type { Kysely } from "kysely";
import type { Migration } from "#kernel/operation";

async function createGroups(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("resource_groups_group")
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("region", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("unique_id", "text", (column) => column.notNull())
    .addColumn("description", "text")
    .addColumn("query_kind", "text")
    .addColumn("query_text", "text")
    .addColumn("watch_key", "text")
    .addColumn("configuration", "text")
    .addColumn("proposed", "text")
    .addColumn("configuration_status", "text")
    .addColumn("failure_reason", "text")
    .addColumn("event_sequence", "integer", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("updated_at", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("resource_groups_group_pk", ["account", "region", "name"])
    .execute();
  await db.schema
    .createIndex("resource_groups_group_watch")
    .on("resource_groups_group")
    .columns(["account", "region", "watch_key", "name"])
    .execute();
  await db.schema
    .createTable("resource_groups_group_type")
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("region", "text", (column) => column.notNull())
    .addColumn("filter", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("resource_groups_group_type_pk", ["account", "region", "filter", "type", "name"])
    .execute();
  await db.schema
    .createIndex("resource_groups_group_type_name")
    .on("resource_groups_group_type")
    .columns(["account", "region", "name", "filter", "type"])
    .execute();
}

async function createMembers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("resource_groups_member")
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("region", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("arn", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("added_at", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("resource_groups_member_pk", ["account", "region", "name", "arn"])
    .execute();
  await db.schema
    .createIndex("resource_groups_member_arn")
    .on("resource_groups_member")
    .columns(["account", "region", "arn", "name"])
    .execute();
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("resource_groups_told")
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("region", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("arn", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("resource_groups_told_pk", ["account", "region", "name", "arn"])
    .execute();
  await db.schema
    .createTable("resource_groups_setting")
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("region", "text", (column) => column.notNull())
    .addColumn("desired", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("message", "text")
    .addColumn("publishing", "integer", (column) => column.notNull())
    .addColumn("spelling", "text")
    .addPrimaryKeyConstraint("resource_groups_setting_pk", ["account", "region"])
    .execute();
}

export const migrations: Readonly<Record<string, Migration>> = {
  "001-groups": {
    async up(db) {
      await createGroups(db);
      await createMembers(db);
      await createEvents(db);
    },
  },
};
