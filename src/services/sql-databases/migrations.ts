/** Dropped databases. */
import type { Migration } from "#kernel/operation";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-dropped": {
    async up(db) {
      await db.schema
        .createTable("sql_databases_dropped")
        .addColumn("account", "text", (column) => column.notNull())
        .addColumn("server", "text", (column) => column.notNull())
        .addColumn("name_key", "text", (column) => column.notNull())
        .addColumn("deleted_at", "integer", (column) => column.notNull())
        .addColumn("expires_at", "integer", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("location", "text", (column) => column.notNull())
        .addColumn("properties", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("sql_databases_dropped_pk", ["account", "server", "name_key", "deleted_at"])
        .execute();
    },
  },
};
