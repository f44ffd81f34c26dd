/** Exports and the files in their archives. */
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const exports: Migration = {
  async up(db) {
    await createTable(
      db,
      "contributions_export",
      {
        account: "text",
        id: "text",
        owner_id: "text",
        filter: "text",
        sight: "text",
        choice: "text",
        base_url: "text",
        blob_id: "text",
        size: "integer",
        entries: "integer",
        step: "text",
        done: "integer",
        contributions: "integer",
        last_place: "integer?",
        started_at: "integer",
        finished_at: "integer?",
        completed_at: "integer?",
      },
      ["id"],
    );
    await createIndex(db, "contributions_export", "by_owner", ["account", "owner_id", "id"]);
    await createTable(
      db,
      "contributions_export_entry",
      {
        account: "text",
        export_id: "text",
        position: "integer",
        name: "text",
        crc: "integer",
        size: "integer",
        compressed_size: "integer",
        offset: "integer",
        is_deflated: "integer",
        is_streamed: "integer",
        at: "integer",
      },
      ["account", "export_id", "position"],
    );
  },
};
