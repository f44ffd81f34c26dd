/** The interface of an open SQLite database, for all drivers. */

/** The part of better-sqlite3 that we use. The built-in driver is adapted to it. */
export type SqliteStatement = {
  readonly reader: boolean;
  /** Rows are lists of values from now on. */
  raw(): SqliteStatement;
  columns(): readonly { readonly name: string }[];
  all(values: readonly unknown[]): unknown[];
  run(values?: readonly unknown[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  iterate(values: readonly unknown[]): Iterable<unknown>;
};
export type SqliteHandle = {
  readonly inTransaction: boolean;
  prepare(text: string): SqliteStatement;
  exec(text: string): unknown;
  close(): unknown;
};
