/** Drops two indexes: every contribution was written into them, and few queries used them. */
import { sql } from "kysely";
import type { Migration } from "#kernel/operation";

export const fewerIndexes: Migration = {
  async up(db) {
    await db.schema.dropIndex("contributions_change_by_record").execute();
    await db.schema.dropIndex("contributions_contribution_by_state").execute();
    await db.schema
      .createIndex("contributions_contribution_by_state")
      .on("contributions_contribution")
      .columns(["account", "assignment_id", "state", "place"])
      .where(sql.ref("state"), "<>", sql.lit("approved"))
      .execute();
  },
};
