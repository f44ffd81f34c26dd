/** Spelling learns episode descriptions. Existing episodes follow when their podcast is reindexed. */
import { sql } from "kysely";
import type { Migration } from "#kernel/operation";

export const descriptions: Migration = {
  async up(db) {
    await db.schema
      .alterTable("podcasts_document")
      .addColumn("is_description_learnt", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`insert into podcasts_index_work (account, id, kind, detail)
      select account, 'podcast ' || id, 'podcast', id from podcasts_podcast where true
      on conflict do nothing`.execute(db);
  },
};
