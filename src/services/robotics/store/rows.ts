/** Bringing rows to what they should be: only what differs is written, so that entering the same again changes nothing. */
import type { Kysely } from "kysely";
import { compiledInsertAll, compiledUpdate } from "#kernel/db";
import type { Tables } from "../tables.ts";

export type Db = Kysely<Tables>;

/** So many by one statement. */
const ROWS_MAX = 50;

type Plain<Row> = { [Column in keyof Row]: string | number | null };

/** Writes what is new or differs in `columns`; answers whether anything did. `key` tells rows apart. */
export function syncing<Row extends Plain<Row>, Key extends keyof Row & string>(
  table: keyof Tables & string,
  key: readonly Key[],
  columns: readonly (keyof Row & string)[],
) {
  const insertAll = compiledInsertAll<Row>(table, [...key, ...columns]);
  const update = compiledUpdate<Row, Key>(table, key, columns);
  return {
    async insert(db: Db, rows: readonly Row[]): Promise<void> {
      for (let at = 0; at < rows.length; at += ROWS_MAX) await insertAll(db, rows.slice(at, at + ROWS_MAX));
    },
    async update(db: Db, rows: readonly Row[]): Promise<void> {
      for (const row of rows) await update(db, row);
    },
  };
}
