/** The one table beside the managed resources. */
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
};
