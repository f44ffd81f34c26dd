/** Forward migrations. A released migration is never changed. */
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-analyses": {
    async up(db) {
      await createTable(
        db,
        "unpack_analysis",
        {
          account: "text",
          sha256: "text",
          file_name: "text",
          size: "integer",
          verdict: "text",
          packer: "text",
          kept_bytes: "integer",
          took_ms: "integer",
          created_at: "integer",
          expires_at: "integer",
        },
        ["account", "sha256"],
      );
      await createIndex(db, "unpack_analysis", "by_age", ["account", "created_at", "sha256"]);
      await createTable(
        db,
        "unpack_part",
        { account: "text", sha256: "text", kind: "text", position: "integer", bytes: "blob" },
        ["account", "sha256", "kind", "position"],
      );
    },
  },
};
