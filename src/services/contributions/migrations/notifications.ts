/** Subscriptions. */
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const notifications: Migration = {
  async up(db) {
    await createTable(
      db,
      "contributions_subscription",
      {
        account: "text",
        id: "text",
        user_id: "text",
        assignment_id: "text?",
        types: "text",
        email: "text?",
        slack_channel: "text?",
        webhook_url: "text?",
        push_url: "text?",
        include_body: "integer",
        include_thumbnail: "integer",
        token: "text",
        base_url: "text",
        created_at: "integer",
      },
      ["id"],
    );
    await createIndex(db, "contributions_subscription", "by_user", ["account", "user_id", "id"]);
  },
};
