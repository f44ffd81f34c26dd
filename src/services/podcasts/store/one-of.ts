/** Passes many values as one parameter, so that every list length shares one prepared statement. */
import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const isAmong = (
  db: Db,
  column: string,
  values: readonly (string | number)[],
  arrayType: "text[]" | "bigint[]",
): RawBuilder<boolean> =>
  db.getExecutor().adapter instanceof PostgresAdapter
    ? // A subquery, because a generic plan for an array compares each row with each value.
      sql`${sql.ref(column)} in (select unnest(cast(${values} as ${sql.raw(arrayType)})))`
    : sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;

export const isOneOf = (db: Db, column: string, values: readonly string[]): RawBuilder<boolean> =>
  isAmong(db, column, values, "text[]");
export const isOneNumberOf = (db: Db, column: string, values: readonly number[]): RawBuilder<boolean> =>
  isAmong(db, column, values, "bigint[]");
