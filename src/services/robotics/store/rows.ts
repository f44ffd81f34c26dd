/** Batch writer for rows of one table. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Tables } from "../tables.ts";

export type Db = Kysely<Tables>;
const { compiledInsertAll, compiledUpdate } = queriesOf<Db>();

/** Rows per statement. */
const ROWS_MAX = 50;

type Plain<Row> = { [Column in keyof Row]: string | number | null };

/** `key` identifies a row. An update sets all `columns`. */
export class RowWriter<Row extends Plain<Row>, Key extends keyof Row & string> {
  readonly #insertAll: (db: Db, rows: readonly Row[]) => Promise<void>;
  readonly #update: (db: Db, row: Row) => Promise<boolean>;

  constructor(table: keyof Tables & string, key: readonly Key[], columns: readonly (keyof Row & string)[]) {
    this.#insertAll = compiledInsertAll<Row>(table, [...key, ...columns]);
    this.#update = compiledUpdate<Row, Key>(table, key, columns);
  }
  async insert(db: Db, rows: readonly Row[]): Promise<void> {
    for (let at = 0; at < rows.length; at += ROWS_MAX)
      await this.#insertAll(db, rows.slice(at, at + ROWS_MAX));
  }
  async update(db: Db, rows: readonly Row[]): Promise<void> {
    for (const row of rows) await this.#update(db, row);
  }
}
