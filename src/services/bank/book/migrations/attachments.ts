/** Tables for pictures and avatars. */
import type { Kysely } from "kysely";
import { createIndex, createTable } from "#kernel/db";

export async function createAttachments(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "bank_attachment",
    {
      account: "text",
      id: "integer",
      uuid: "text",
      user_id: "integer",
      ledger_id: "integer",
      is_public: "integer",
      content_type: "text",
      width: "integer",
      height: "integer",
      description: "text",
      blob_id: "text",
      created_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "bank_attachment", "by_uuid", ["account", "uuid"]);
  await createIndex(db, "bank_attachment", "by_user", ["account", "user_id"]);
  await createTable(
    db,
    "bank_avatar",
    {
      account: "text",
      id: "integer",
      uuid: "text",
      user_id: "integer",
      anchor_uuid: "text",
      style: "text",
      images: "text",
      created_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "bank_avatar", "by_uuid", ["account", "uuid"]);
  await createIndex(db, "bank_avatar", "by_user", ["account", "user_id"]);
}
