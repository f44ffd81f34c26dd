/** Dropped databases, and encryption of server passwords that earlier releases stored in plain text. */
import { createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";
import { rewriteSecrets } from "#kernel/resource-provider";

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
  "002-sealed-passwords": {
    async up(db, tools) {
      await rewriteSecrets(db, "Vendor.Sql/servers", async (secrets) => {
        const { administratorLoginPassword: password, ...rest } = secrets;
        if (typeof password !== "string") return secrets;
        return { ...rest, administratorLoginPassword: (await tools.secrets()).seal(password) };
      });
    },
  },
};
