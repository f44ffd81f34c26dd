/** Pictures, films and their artifacts. */
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const media: Migration = {
  async up(db) {
    await createTable(
      db,
      "contributions_media",
      {
        account: "text",
        id: "text",
        user_id: "text?",
        type: "text",
        format: "text",
        content_type: "text",
        size: "integer",
        width: "integer",
        height: "integer",
        orientation: "integer",
        duration_seconds: "real?",
        latitude: "real?",
        longitude: "real?",
        taken_at: "integer?",
        camera: "text?",
        state: "text",
        problem: "text?",
        blob_id: "text",
        created_at: "integer",
      },
      ["id"],
    );
    await createIndex(db, "contributions_media", "by_created", ["account", "created_at", "id"]);
    await createTable(
      db,
      "contributions_artifact",
      {
        account: "text",
        media_id: "text",
        label: "text",
        content_type: "text",
        file_extension: "text",
        width: "integer",
        height: "integer",
        size: "integer",
        blob_id: "text",
      },
      ["account", "media_id", "label"],
    );
  },
};
