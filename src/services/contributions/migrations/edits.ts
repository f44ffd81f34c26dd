/** Earlier texts of contributions that their senders changed. */
import { createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const edits: Migration = {
  async up(db) {
    await createTable(
      db,
      "contributions_edit",
      {
        account: "text",
        contribution_id: "text",
        id: "text",
        headline: "text",
        body: "text",
        attribution: "text",
        edited_at: "integer",
      },
      ["account", "contribution_id", "id"],
    );
  },
};
