/** Migrations of the tables beside the managed resources. */
import { createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-versions": {
    async up(db) {
      await db.schema
        .createTable("api_diagnostics_version")
        .addColumn("account", "text", (column) => column.notNull())
        .addColumn("instance_key", "text", (column) => column.notNull())
        .addColumn("version", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("api_diagnostics_version_pk", ["account", "instance_key"])
        .execute();
    },
  },
  "002-quotas": {
    async up(db) {
      await createTable(
        db,
        "api_diagnostics_quota",
        { account: "text", instance_key: "text", counter: "text", calls: "integer", ends_at: "integer" },
        ["account", "instance_key", "counter"],
      );
    },
  },
};
