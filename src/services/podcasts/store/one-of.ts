/** Hundreds of values as one parameter: a statement of its own for each number of them would be costly. */
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
    ? // By a table of them: a plan that serves any list compares each row with each value of an array.
      sql`${sql.ref(column)} in (select unnest(cast(${values} as ${sql.raw(arrayType)})))`
    : sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;

export const isOneOf = (db: Db, column: string, values: readonly string[]): RawBuilder<boolean> =>
  isAmong(db, column, values, "text[]");
export const isOneNumberOf = (db: Db, column: string, values: readonly number[]): RawBuilder<boolean> =>
  isAmong(db, column, values, "bigint[]");
