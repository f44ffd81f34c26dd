/**
 * Search documents with the full-text index of either database, and the tables for scores and
 * recommendations.
 */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

const FIELDS = ["title", "author", "description", "audio", "facets"] as const;

const FTS5_SETTINGS: readonly (readonly [setting: string, value: number])[] = [
  ["hashsize", 8_000_000],
  ["automerge", 8],
];

/** Each word has account and kind as a prefix, so that each account has its own range in the index. */
async function createFts5(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table podcasts_document_fts using fts5(
    title, author, description, audio, facets,
    content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'")`.execute(db);
  // Larger segments and fewer merges than the defaults, because feeds add hundreds of episodes at once.
  for (const [setting, value] of FTS5_SETTINGS)
    await sql`insert into podcasts_document_fts (podcasts_document_fts, rank) values (${sql.lit(setting)}, ${sql.lit(value)})`.execute(
      db,
    );
  const owned = sql.join(
    FIELDS.map((field) => {
      const column = sql.ref(`new.${field}`);
      return sql`case ${column} when '' then '' else new.account || new.kind || replace(${column}, ' ', ' ' || new.account || new.kind) end`;
    }),
  );
  await sql`create trigger podcasts_document_added after insert on podcasts_document begin
    insert into podcasts_document_fts (rowid, title, author, description, audio, facets)
    values (new.search_id, ${owned});
  end`.execute(db);
  await sql`create trigger podcasts_document_removed after delete on podcasts_document begin
    delete from podcasts_document_fts where rowid = old.search_id;
  end`.execute(db);
}

/** Start positions of the fields, with gaps so that no phrase matches across two fields. */
const PLACES: readonly (readonly [field: string, weight: string, from: number])[] = [
  ["title", "A", 0],
  ["author", "B", 200],
  ["description", "C", 400],
  ["audio", "D", 3000],
];

async function createTsvector(db: Kysely<unknown>): Promise<void> {
  await sql`create table podcasts_document_fts (
    search_id bigint primary key references podcasts_document (search_id) on delete cascade,
    words tsvector not null)`.execute(db);
  await sql`create index podcasts_document_fts_words on podcasts_document_fts using gin (words) with (fastupdate = off)`.execute(
    db,
  );
  const fields = PLACES.map(
    ([field, weight, from]) =>
      `select quote_literal(word) || ':' || (place + ${from}) || '${weight}' as entry
         from unnest(string_to_array(new.${field}, ' ')) with ordinality as words (word, place) where word <> ''`,
  ).join(" union all ");
  const body = `begin
    insert into podcasts_document_fts (search_id, words)
    select new.search_id, coalesce(string_agg(entry, ' '), '')::tsvector from (
      ${fields}
      union all select quote_literal(word) from unnest(string_to_array(new.facets, ' ')) as word where word <> ''
      union all select quote_literal('_' || new.kind || new.account)) as entries;
    return new;
  end`;
  await sql
    .raw(`create function podcasts_document_added() returns trigger language plpgsql as $body$${body}$body$`)
    .execute(db);
  await sql`create trigger podcasts_document_added after insert on podcasts_document
    for each row execute function podcasts_document_added()`.execute(db);
}

async function createDocuments(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "podcasts_document",
    {
      account: "text",
      search_id: "integer",
      kind: "text",
      id: "text",
      podcast_id: "text",
      language: "text",
      pub_date_ms: "integer",
      title: "text",
      author: "text",
      description: "text",
      audio: "text",
      facets: "text",
    },
    ["search_id"],
  );
  await createIndex(db, "podcasts_document", "by_id", ["account", "kind", "id"], { unique: true });
  await createIndex(db, "podcasts_document", "by_podcast", ["account", "podcast_id"]);
  await (db.getExecutor().adapter instanceof PostgresAdapter ? createTsvector(db) : createFts5(db));
}

export const search: Migration = {
  async up(db) {
    await createDocuments(db);
    await createIndex(db, "podcasts_podcast", "by_language", ["account", "language"]);
    await createIndex(db, "podcasts_podcast", "by_score", ["account", "listen_score", "id"]);
    await createIndex(db, "podcasts_podcast", "by_published", ["account", "latest_pub_date_ms", "id"]);
    await createTable(
      db,
      "podcasts_word",
      { account: "text", word: "text", skeleton: "text", count: "integer" },
      ["account", "word"],
    );
    await createIndex(db, "podcasts_word", "by_skeleton", ["account", "skeleton"]);
    await createTable(
      db,
      "podcasts_index_work",
      { account: "text", id: "text", kind: "text", detail: "text" },
      ["account", "id"],
    );
    await createTable(db, "podcasts_phrase", { account: "text", phrase: "text", podcast_id: "text" }, [
      "account",
      "phrase",
      "podcast_id",
    ]);
    await createIndex(db, "podcasts_phrase", "by_podcast", ["account", "podcast_id"]);
    await createTable(
      db,
      "podcasts_term",
      { account: "text", term: "text", shown: "text", heat: "integer" },
      ["account", "term"],
    );
    await createIndex(db, "podcasts_term", "by_heat", ["account", "heat"]);
    await createTable(
      db,
      "podcasts_term_key",
      { account: "text", day: "integer", key_name: "text", term: "text" },
      ["account", "day", "key_name", "term"],
    );
    await createTable(
      db,
      "podcasts_term_pair",
      { account: "text", term: "text", other: "text", heat: "integer" },
      ["account", "term", "other"],
    );
    await createTable(
      db,
      "podcasts_interest",
      { account: "text", podcast_id: "text", region: "text", heat: "integer" },
      ["account", "podcast_id", "region"],
    );
    await createTable(
      db,
      "podcasts_vector",
      { account: "text", term: "text", podcast_id: "text", weight: "integer" },
      ["account", "term", "podcast_id"],
    );
    await createIndex(db, "podcasts_vector", "by_podcast", ["account", "podcast_id"]);
  },
};
