/**
 * SQLite: contributions between two places enter the full-text index later, in batches. PostgreSQL indexes them
 * at once.
 */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "#kernel/operation";

/** Each word with its account as a prefix. */
const owned = (column: "words" | "facets") =>
  sql`case ${sql.ref(column)} when '' then '' else account || replace(${sql.ref(column)}, ' ', ' ' || account) end as ${sql.ref(column)}`;
const isBeyondTail = (row: "new" | "old") => {
  const place = sql.ref(`${row}.place`);
  return sql`not exists (select 1 from contributions_fts_tail where from_place <= ${place} and end_place > ${place})`;
};
async function createTail(db: Kysely<unknown>): Promise<void> {
  for (const name of ["added", "removed"])
    await sql`drop trigger ${sql.ref(`contributions_fts_${name}`)}`.execute(db);
  await sql`create table contributions_fts_tail (from_place integer not null, end_place integer not null)`.execute(
    db,
  );
  await sql`create view contributions_fts_source as
    select place, ${owned("words")}, ${owned("facets")} from contributions_contribution`.execute(db);
  await sql`create trigger contributions_fts_added after insert on contributions_contribution when ${isBeyondTail("new")} begin
    insert into contributions_fts (rowid, words, facets)
      select place, words, facets from contributions_fts_source where place = new.place;
  end`.execute(db);
  await sql`create trigger contributions_fts_removed after delete on contributions_contribution when ${isBeyondTail("old")} begin
    delete from contributions_fts where rowid = old.place;
  end`.execute(db);
}

export const searchTail: Migration = {
  async up(db) {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) await createTail(db);
  },
};
