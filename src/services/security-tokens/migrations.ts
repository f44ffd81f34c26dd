/** Forward migrations; one that was released is never changed. */
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-roles-and-sessions": {
    async up(db) {
      await createTable(
        db,
        "security_tokens_role",
        {
          account: "text",
          name: "text",
          description: "text?",
          policy: "text?",
          trusted: "text",
          external_id: "text?",
          seconds_max: "integer",
          created_at: "integer",
          updated_at: "integer",
        },
        ["account", "name"],
      );
      await createTable(
        db,
        "security_tokens_session",
        {
          account: "text",
          id: "text",
          secret: "text",
          token: "text",
          name: "text",
          scopes: "text?",
          restrictions: "text",
          issued_to: "text?",
          created_at: "integer",
          expires_at: "integer",
        },
        ["id"],
      );
      await createIndex(db, "security_tokens_session", "by_end", ["account", "expires_at"]);
    },
  },
};
