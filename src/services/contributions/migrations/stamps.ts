/**
 * Stamps that triggers change with every contribution of a time range. A cache compares stamps to find what to
 * read again.
 */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import { createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

const LONG = sql.lit(2 ** 40);
const SHORT = sql.lit(2 ** 34);
/** The mutable columns that filters use. */
const CHANGING = sql`state, is_public, deleted_at`;

/** A random number, so that a stamp that was rolled back never appears again. */
const NEW_STAMP = sql`(random() & 4503599627370495)`;
async function createForSqlite(db: Kysely<unknown>): Promise<void> {
  for (const [name, event, row] of [
    ["added", sql`insert`, "new"],
    ["changed", sql`update of ${CHANGING}`, "new"],
    ["removed", sql`delete`, "old"],
  ] as const) {
    const account = sql.ref(`${row}.account`);
    const place = sql.ref(`${row}.place`);
    await sql`create trigger ${sql.ref(`contributions_stamp_${name}`)} after ${event} on contributions_contribution begin
      insert into contributions_stamp (account, kind, stretch, writer, stamp)
      values (${account}, 'long', ${place} / ${LONG}, 0, ${NEW_STAMP}), (${account}, 'short', ${place} / ${SHORT}, 0, ${NEW_STAMP})
      on conflict (account, kind, stretch, writer) do update set stamp = excluded.stamp;
    end`.execute(db);
  }
}

/**
 * Connections write to different rows, so that none waits for the commit of another. The stamp is the sum of the
 * rows.
 */
export const stampFunction = (writers: number) => {
  const writer = `pg_backend_pid() % ${writers}`;
  const body = `declare
    place bigint;
    account text;
  begin
    if tg_op = 'DELETE' then place := old.place; account := old.account;
    else place := new.place; account := new.account; end if;
    insert into contributions_stamp as kept (account, kind, stretch, writer, stamp)
    values (account, 'long', place / ${2 ** 40}, ${writer}, 1), (account, 'short', place / ${2 ** 34}, ${writer}, 1)
    on conflict on constraint contributions_stamp_pk do update set stamp = kept.stamp + 1;
    return null;
  end`;
  return sql.raw(
    `create or replace function contributions_stamp_change() returns trigger language plpgsql as $body$${body}$body$`,
  );
};
const FIRST_WRITERS = 16;
async function createForPostgres(db: Kysely<unknown>): Promise<void> {
  await stampFunction(FIRST_WRITERS).execute(db);
  await sql`create trigger contributions_stamp_change after insert or delete or update of ${CHANGING}
    on contributions_contribution for each row execute function contributions_stamp_change()`.execute(db);
}

export const stamps: Migration = {
  async up(db) {
    await createTable(
      db,
      "contributions_stamp",
      { account: "text", kind: "text", stretch: "integer", writer: "integer", stamp: "integer" },
      ["account", "kind", "stretch", "writer"],
    );
    for (const [kind, places] of [
      ["long", LONG],
      ["short", SHORT],
    ] as const)
      await sql`insert into contributions_stamp (account, kind, stretch, writer, stamp)
        select distinct account, ${sql.lit(kind)}, place / ${places}, 0, 1 from contributions_contribution`.execute(
        db,
      );
    await (db.getExecutor().adapter instanceof PostgresAdapter ? createForPostgres(db) : createForSqlite(db));
  },
};
