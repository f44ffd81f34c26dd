/** Partial indexes: most contributions have no position and no country, so the indexes leave them out. */
import { sql } from "kysely";
import type { Migration } from "#kernel/operation";

export const sparseIndexes: Migration = {
  async up(db) {
    for (const column of ["geohash", "country"]) {
      const index = `contributions_contribution_by_${column}`;
      await db.schema.dropIndex(index).execute();
      await db.schema
        .createIndex(index)
        .on("contributions_contribution")
        .columns(["account", column, "place"])
        .where(sql.ref(column), "is not", null)
        .execute();
    }
  },
};
