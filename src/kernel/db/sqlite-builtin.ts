/** Adapts `node:sqlite`, and packages with its interface, to better-sqlite3: errors with names, bytes as buffers. */
import type { SqliteHandle, SqliteStatement } from "./sqlite-handle.ts";

type Changes = { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
type BuiltinStatement = {
  all(...values: readonly unknown[]): unknown[];
  run(...values: readonly unknown[]): Changes;
  iterate(...values: readonly unknown[]): Iterable<unknown>;
  columns(): readonly { readonly name: string }[];
  setReturnArrays(enabled: boolean): void;
};
type BuiltinDatabase = {
  readonly isTransaction: boolean;
  prepare(text: string): BuiltinStatement;
  exec(text: string): void;
  close(): void;
};
/** The part of `node:sqlite` that we use. */
export type BuiltinModule = {
  readonly DatabaseSync: new (file: string) => BuiltinDatabase;
  readonly StatementSync: { readonly prototype: object };
};

/** SQLite's names of the error codes that our code checks. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [1, "SQLITE_ERROR"],
  [5, "SQLITE_BUSY"],
  [8, "SQLITE_READONLY"],
  [11, "SQLITE_CORRUPT"],
  [13, "SQLITE_FULL"],
  [14, "SQLITE_CANTOPEN"],
  [20, "SQLITE_MISMATCH"],
  [26, "SQLITE_NOTADB"],
  [778, "SQLITE_IOERR_WRITE"],
  [1034, "SQLITE_IOERR_FSYNC"],
  [4874, "SQLITE_IOERR_SHMSIZE"],
  [275, "SQLITE_CONSTRAINT_CHECK"],
  [1299, "SQLITE_CONSTRAINT_NOTNULL"],
  [787, "SQLITE_CONSTRAINT_FOREIGNKEY"],
  [1555, "SQLITE_CONSTRAINT_PRIMARYKEY"],
  [2067, "SQLITE_CONSTRAINT_UNIQUE"],
]);

/** Adds SQLite's name of the error code. */
function withName(error: unknown): unknown {
  const { errcode } = error as { errcode?: number };
  if (error instanceof Error && errcode !== undefined)
    Object.assign(error, { code: NAMES.get(errcode) ?? `SQLITE_${errcode}` });
  return error;
}
function named<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw withName(error);
  }
}

/** Of one row, in place: a copy of each row would cost as much as the conversion. */
function makeBuffers(row: unknown[]): unknown[] {
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at];
    if (typeof value === "object" && value instanceof Uint8Array)
      row[at] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return row;
}

class Statement implements SqliteStatement {
  readonly #statement: BuiltinStatement;
  readonly reader: boolean;

  constructor(statement: BuiltinStatement) {
    this.#statement = statement;
    this.reader = statement.columns().length > 0;
    statement.setReturnArrays(true);
  }
  raw(): SqliteStatement {
    return this;
  }
  columns(): readonly { readonly name: string }[] {
    return this.#statement.columns();
  }
  all(values: readonly unknown[]): unknown[] {
    try {
      const rows = this.#statement.all(...values) as unknown[][];
      for (const row of rows) makeBuffers(row);
      return rows;
    } catch (error) {
      throw withName(error);
    }
  }
  run(values: readonly unknown[] = []): Changes {
    try {
      return this.#statement.run(...values);
    } catch (error) {
      throw withName(error);
    }
  }
  *iterate(values: readonly unknown[]): Iterable<unknown> {
    const rows = named(() => this.#statement.iterate(...values))[Symbol.iterator]();
    for (let row = named(() => rows.next()); !row.done; row = named(() => rows.next()))
      yield makeBuffers(row.value as unknown[]);
  }
}

export function openBuiltin({ DatabaseSync }: BuiltinModule, file: string): SqliteHandle {
  const database = named(() => new DatabaseSync(file));
  let isClosed = false;
  return {
    /** A closed one throws if it is asked. */
    get inTransaction() {
      return !isClosed && database.isTransaction;
    },
    prepare: (text) => named(() => new Statement(database.prepare(text))),
    exec: (text) => named(() => database.exec(text)),
    close: () => {
      isClosed = true;
      database.close();
    },
  };
}
