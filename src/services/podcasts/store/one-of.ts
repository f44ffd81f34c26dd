/** Hundreds of values as one parameter: a statement of its own for each number of them would be costly. */
import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Tables } from "../tables.ts";

export function isOneOf(db: Kysely<Tables>, column: string, values: readonly string[]): RawBuilder<boolean> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`${sql.ref(column)} = any(cast(${values} as text[]))`
    : sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;
}
