/** Dropped databases. */
import { createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-dropped": {
    async up(db) {
      await createTable(
        db,
        "sql_databases_dropped",
        {
          account: "text",
          server: "text",
          name_key: "text",
          deleted_at: "integer",
          expires_at: "integer",
          name: "text",
          location: "text",
          properties: "text",
        },
        ["account", "server", "name_key", "deleted_at"],
      );
    },
  },
};
