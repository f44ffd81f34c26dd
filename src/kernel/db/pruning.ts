/** Deletes old rows of large tables in steps, so that other changes wait for one step at most. */
import { type Kysely, PostgresAdapter, type SelectQueryBuilder, sql } from "kysely";
import type { AnyDb } from "./database.ts";

/**
 * On SQLite others wait for a step, so it takes a few milliseconds. On PostgreSQL nobody waits for other rows, but each
 * step reads past those that the earlier steps have deleted.
 */
export const ROWS_AT_ONCE = { sqlite: 500, postgres: 5000 } as const;

type Rows<Tables, Table extends keyof Tables> = SelectQueryBuilder<Tables, Table, object>;

/** Deletes some of the chosen rows. Returns whether there may be more. Each step needs a transaction of its own. */
export async function deleteSome<Tables, Table extends keyof Tables & string>(
  db: Kysely<Tables>,
  table: Table,
  choose: (rows: Rows<Tables, Table>) => Rows<Tables, Table>,
): Promise<boolean> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const place = sql.ref(isPostgres ? "ctid" : "rowid");
  const rows = (db as AnyDb).selectFrom(table) as unknown as Rows<Tables, Table>;
  const limit = ROWS_AT_ONCE[isPostgres ? "postgres" : "sqlite"];
  const chosen = choose(rows).select(place.as("place")).limit(limit);
  // PostgreSQL would read the whole table to join it with a subquery.
  const isChosen = isPostgres ? sql`${place} = any(array(${chosen}))` : sql`${place} in (${chosen})`;
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${isChosen}`.execute(db);
  return Number(numAffectedRows) === limit;
}

/** The id of the newest row of an account beyond the `keptMax` newest. Undefined if it has no more than these. */
export async function findFirstBeyond<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  account: string,
  keptMax: number,
): Promise<string | undefined> {
  const row = await (db as AnyDb)
    .selectFrom(table as string)
    .select("id")
    .where("account", "=", account)
    .orderBy("id", "desc")
    .offset(keptMax)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** The accounts that have rows in a table with an index that begins with the account. Reads one row of each. */
export async function* eachAccount<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
): AsyncGenerator<string> {
  let last: string | undefined;
  for (;;) {
    const isNext = last === undefined ? sql`true` : sql`account > ${last}`;
    const { rows } = await sql<{ account: string | null }>`select min(account) as account
      from ${sql.table(table)} where ${isNext}`.execute(db);
    const account = rows[0]?.account ?? null;
    if (account === null) return;
    last = account;
    yield account;
  }
}
