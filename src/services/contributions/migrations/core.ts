/** Assignments, tags, forms, users and contributions, with the full-text index of each database. */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

async function createSettings(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "contributions_user",
    {
      account: "text",
      id: "text",
      username: "text",
      username_key: "text",
      display_name: "text",
      bio: "text",
      registered_at: "integer",
    },
    ["id"],
  );
  await createIndex(db, "contributions_user", "by_account", ["account", "id"]);
  await createIndex(db, "contributions_user", "by_name", ["account", "username_key"]);
  await createTable(
    db,
    "contributions_assignment",
    {
      account: "text",
      id: "text",
      owner_id: "text",
      name: "text",
      description: "text",
      url_words: "text",
      search_words: "text",
      call_to_action: "text",
      receipt_message: "text",
      moderator_id: "text?",
      cover_media_id: "text?",
      form_id: "text?",
      starts_at: "integer?",
      ends_at: "integer?",
      embargo_at: "integer?",
      featured: "integer",
      media_required: "integer",
      allows_anonymous: "integer",
      moderation: "text",
      location_precision: "integer?",
      flags_hide: "integer",
      deleted_at: "integer?",
      created_at: "integer",
    },
    ["id"],
  );
  await createIndex(db, "contributions_assignment", "by_url_words", ["account", "owner_id", "url_words"], {
    unique: true,
  });
  await createIndex(db, "contributions_assignment", "by_created", ["account", "created_at", "id"]);
  for (const table of ["contributions_tag_set", "contributions_tag"] as const) {
    await createTable(
      db,
      table,
      {
        account: "text",
        id: "text",
        owner_id: "text",
        ...(table === "contributions_tag" && ({ tag_set_id: "text?", colour: "text?" } as const)),
        name: "text",
        url_words: "text",
        created_at: "integer",
      },
      ["id"],
    );
    await createIndex(db, table, "by_url_words", ["account", "owner_id", "url_words"], { unique: true });
  }
  await createTable(
    db,
    "contributions_tagged",
    { account: "text", kind: "text", record_id: "text", position: "integer", tag_id: "text" },
    ["account", "kind", "record_id", "tag_id"],
  );
  await createIndex(db, "contributions_tagged", "by_tag", ["account", "tag_id", "kind"]);
}

async function createForms(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "contributions_form",
    {
      account: "text",
      id: "text",
      owner_id: "text",
      name: "text",
      heading: "text",
      call_to_action: "text",
      css_url: "text?",
      no_css: "integer",
      fields: "text",
      created_at: "integer",
    },
    ["id"],
  );
  await createIndex(db, "contributions_form", "by_owner", ["account", "owner_id", "id"]);
  await createTable(
    db,
    "contributions_form_response",
    {
      account: "text",
      id: "text",
      form_id: "text",
      user_id: "text?",
      contribution_id: "text?",
      responses: "text",
      created_at: "integer",
    },
    ["id"],
  );
  await createIndex(db, "contributions_form_response", "by_form", ["account", "form_id", "id"]);
  await createIndex(db, "contributions_form_response", "by_user", ["account", "user_id", "id"]);
  await createIndex(db, "contributions_form_response", "by_contribution", ["account", "contribution_id"]);
}

async function createContributions(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "contributions_contribution",
    {
      account: "text",
      place: "integer",
      id: "text",
      assignment_id: "text",
      user_id: "text?",
      owner_id: "text",
      headline: "text",
      body: "text",
      attribution: "text",
      url_words: "text",
      words: "text",
      facets: "text",
      state: "text",
      is_public: "integer",
      exact_latitude: "real?",
      exact_longitude: "real?",
      latitude: "real?",
      longitude: "real?",
      geohash: "text?",
      x: "real?",
      y: "real?",
      z: "real?",
      country: "text?",
      place_name: "text?",
      place_details: "text?",
      images: "integer",
      videos: "integer",
      likes: "integer",
      flags: "integer",
      form_response_id: "text?",
      external_ids: "text",
      via: "text",
      consented_at: "integer?",
      deleted_at: "integer?",
    },
    ["place"],
  );
  const table = "contributions_contribution";
  await createIndex(db, table, "by_id", ["id"], { unique: true });
  await createIndex(db, table, "by_place", ["account", "place"]);
  await createIndex(db, table, "by_assignment", ["account", "assignment_id", "place"]);
  await createIndex(db, table, "by_user", ["account", "user_id", "place"]);
  await createIndex(db, table, "by_url_words", ["account", "url_words", "place"]);
  await createIndex(db, table, "by_geohash", ["account", "geohash", "place"]);
  await createIndex(db, table, "by_country", ["account", "country", "place"]);
  await createIndex(db, table, "by_state", ["account", "assignment_id", "state", "place"]);
}

async function createHistory(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "contributions_media_usage",
    { account: "text", contribution_id: "text", position: "integer", id: "text", media_id: "text" },
    ["account", "contribution_id", "position"],
  );
  await createIndex(db, "contributions_media_usage", "by_media", ["account", "media_id"]);
  await createTable(
    db,
    "contributions_like",
    { account: "text", contribution_id: "text", user_id: "text", liked_at: "integer" },
    ["account", "contribution_id", "user_id"],
  );
  await createTable(
    db,
    "contributions_flag",
    {
      account: "text",
      id: "text",
      contribution_id: "text",
      flagged_by: "text",
      type: "text",
      notes: "text",
      email: "text?",
      flagged_at: "integer",
    },
    ["id"],
  );
  await createIndex(
    db,
    "contributions_flag",
    "by_contribution",
    ["account", "contribution_id", "flagged_by"],
    { unique: true },
  );
  await createTable(
    db,
    "contributions_moderation",
    {
      account: "text",
      contribution_id: "text",
      id: "text",
      action: "text",
      notes: "text",
      user_id: "text?",
      moderated_at: "integer",
    },
    ["account", "contribution_id", "id"],
  );
  await createTable(
    db,
    "contributions_change",
    {
      account: "text",
      id: "text",
      type: "text",
      title: "text",
      description: "text",
      record_id: "text",
      assignment_id: "text?",
      owner_id: "text",
      user_id: "text?",
      changed_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "contributions_change", "by_record", ["account", "record_id"]);
}

/** Each word has its account as a prefix, so that every account has its own part of the index. */
async function createFts5(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table contributions_fts using fts5(
    words, facets, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'")`.execute(db);
  const owned = sql.join(
    ["words", "facets"].map((field) => {
      const column = sql.ref(`new.${field}`);
      return sql`case ${column} when '' then '' else new.account || replace(${column}, ' ', ' ' || new.account) end`;
    }),
  );
  await sql`create trigger contributions_fts_added after insert on contributions_contribution begin
    insert into contributions_fts (rowid, words, facets) values (new.place, ${owned});
  end`.execute(db);
  await sql`create trigger contributions_fts_removed after delete on contributions_contribution begin
    delete from contributions_fts where rowid = old.place;
  end`.execute(db);
}

async function createTsvector(db: Kysely<unknown>): Promise<void> {
  await sql`create table contributions_fts (
    place bigint primary key references contributions_contribution (place) on delete cascade,
    words tsvector not null)`.execute(db);
  await sql`create index contributions_fts_words on contributions_fts using gin (words) with (fastupdate = off)`.execute(
    db,
  );
  const body = `begin
    insert into contributions_fts (place, words)
    select new.place, coalesce(string_agg(entry, ' '), '')::tsvector from (
      select quote_literal(word) || ':' || least(position, 16000) as entry
        from unnest(string_to_array(new.words, ' ')) with ordinality as words (word, position) where word <> ''
      union all select quote_literal(word) from unnest(string_to_array(new.facets, ' ')) as word where word <> ''
      union all select quote_literal('_' || new.account)) as entries;
    return new;
  end`;
  await sql
    .raw(`create function contributions_fts_added() returns trigger language plpgsql as $body$${body}$body$`)
    .execute(db);
  await sql`create trigger contributions_fts_added after insert on contributions_contribution
    for each row execute function contributions_fts_added()`.execute(db);
}

export const core: Migration = {
  async up(db) {
    await createSettings(db);
    await createForms(db);
    await createContributions(db);
    await createHistory(db);
    await (db.getExecutor().adapter instanceof PostgresAdapter ? createTsvector(db) : createFts5(db));
  },
};
