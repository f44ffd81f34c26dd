/** An open SQLite database, whoever speaks to it. */

/** What we use of better-sqlite3; the built-in one is brought into this shape. */
export type SqliteStatement = {
  readonly reader: boolean;
  /** Rows as lists of values from now on. */
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
