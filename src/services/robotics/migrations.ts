/** Forward migrations; one that was released is never changed. */
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-notes": {
    async up(db) {
      await createTable(
        db,
        "robotics_note",
        {
          account: "text",
          id: "text",
          title: "text",
          text: "text",
          colour: "text",
          remind_at: "integer?",
          created_at: "integer",
          updated_at: "integer",
        },
        ["account", "id"],
      );
      await createIndex(db, "robotics_note", "by_colour", ["account", "colour", "id"]);
    },
  },
};
