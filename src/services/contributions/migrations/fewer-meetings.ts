/**
 * PostgreSQL: fewer conflicts between contributions at the same time. The full-text index no longer has a
 * foreign key to contributions: each insert read the page of the key into which the next ones are inserted.
 * Stamps have more writer rows, so that two transactions seldom use the same row.
 */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "#kernel/operation";
import { stampFunction } from "./stamps.ts";

const WRITERS = 64;

async function dropReference(db: Kysely<unknown>): Promise<void> {
  await sql`alter table contributions_fts drop constraint contributions_fts_place_fkey`.execute(db);
  await sql
    .raw(
      `create function contributions_fts_removed() returns trigger language plpgsql as $body$begin
        delete from contributions_fts where place = old.place;
        return null;
      end$body$`,
    )
    .execute(db);
  await sql`create trigger contributions_fts_removed after delete on contributions_contribution
    for each row execute function contributions_fts_removed()`.execute(db);
}

export const fewerMeetings: Migration = {
  async up(db) {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    await dropReference(db);
    await stampFunction(WRITERS).execute(db);
  },
};
