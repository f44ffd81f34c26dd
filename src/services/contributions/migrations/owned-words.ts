/**
 * PostgreSQL: each word in the full-text index has its account as a prefix, as on SQLite. Before, the account
 * was a separate word of every row, so every search scanned all rows of the account. Properties that columns can
 * filter are no longer in the index.
 */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "#kernel/operation";

async function spellOwned(db: Kysely<unknown>): Promise<void> {
  await sql`drop index contributions_fts_words`.execute(db);
  await sql
    .raw(
      `create function contributions_fts_entry(account text, words text) returns tsvector language sql immutable as $body$
        select coalesce(string_agg(quote_literal(account || word) || ':' || least(position, 16000), ' '), '')::tsvector
        from unnest(string_to_array(words, ' ')) with ordinality as each (word, position) where word <> ''
      $body$`,
    )
    .execute(db);
  await sql
    .raw(
      `create or replace function contributions_fts_added() returns trigger language plpgsql as $body$begin
        insert into contributions_fts (place, words)
        values (new.place, contributions_fts_entry(new.account, new.words));
        return new;
      end$body$`,
    )
    .execute(db);
  await sql`truncate contributions_fts`.execute(db);
  await sql`insert into contributions_fts (place, words)
    select place, contributions_fts_entry(account, words) from contributions_contribution`.execute(db);
  await sql`create index contributions_fts_words on contributions_fts using gin (words) with (fastupdate = off)`.execute(
    db,
  );
  await sql`analyze contributions_fts`.execute(db);
}

export const ownedWords: Migration = {
  async up(db) {
    if (db.getExecutor().adapter instanceof PostgresAdapter) await spellOwned(db);
  },
};
