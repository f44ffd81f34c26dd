/** SQLite's full-text index merges two segments of one size, instead of four. */
import { PostgresAdapter, sql } from "kysely";
import type { Migration } from "#kernel/operation";

export const pieces: Migration = {
  async up(db) {
    if (db.getExecutor().adapter instanceof PostgresAdapter) return;
    await sql`insert into podcasts_document_fts (podcasts_document_fts, rank) values ('usermerge', 2)`.execute(
      db,
    );
  },
};
