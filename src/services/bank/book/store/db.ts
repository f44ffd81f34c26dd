/** The service's own view of the database. */
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

export type Db = Kysely<Tables>;

/**
 * PostgreSQL returns large integers as text, so these columns are converted to numbers. SQLite returns
 * numbers, and its rows are passed through.
 */
export function numbersIn<Row extends object>(first: keyof Row, ...others: readonly (keyof Row)[]) {
  const columns = [first, ...others];
  return (row: Row): Row => {
    if (typeof row[first] === "number") return row;
    const known = { ...row };
    for (const column of columns)
      if (row[column] !== null) known[column] = Number(row[column]) as Row[keyof Row];
    return known;
  };
}
