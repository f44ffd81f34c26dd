/** Applications that act for users who allowed it. */
import type { Kysely } from "kysely";
import { createIndex, createTable } from "#kernel/db";

export async function createOauth(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "bank_oauth_client",
    {
      account: "text",
      id: "integer",
      user_id: "integer",
      client_id: "text",
      secret: "text",
      display_name: "text",
      status: "text",
      created_at: "integer",
      updated_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "bank_oauth_client", "by_client", ["client_id"]);
  await createIndex(db, "bank_oauth_client", "by_user", ["account", "user_id", "id"]);
  await createTable(
    db,
    "bank_oauth_code",
    {
      hash: "text",
      account: "text",
      oauth_client_id: "integer",
      user_id: "integer",
      redirect_uri: "text",
      expires_at: "integer",
    },
    ["hash"],
  );
  await createIndex(db, "bank_oauth_code", "by_end", ["expires_at"]);
}
