/** One SQLite connection for Kysely, with a cache of prepared statements. */

import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { makeRoom } from "../memory/index.ts";
import { getSqliteDriver } from "./sqlite-driver.ts";
import type { SqliteHandle, SqliteStatement } from "./sqlite-handle.ts";

const STATEMENTS_KEPT_MAX = 1000;
const SHORT_LENGTH_MAX = 1024;

type MakeRow = (values: readonly unknown[]) => Record<string, unknown>;
type PreparedQuery = {
  readonly statement: SqliteStatement;
  /** For queries that return rows. */
  readonly makeRow: MakeRow | undefined;
  readonly writes: Writes;
};
/** "rows": as many as the driver counts. "anything": it may write what the driver does not count, such as tables. */
type Writes = "nothing" | "rows" | "anything";
const WRITES: ReadonlyMap<string, Writes> = new Map([
  ["select", "nothing"],
  ["insert", "rows"],
  ["update", "rows"],
  ["delete", "rows"],
]);
const writesOf = (sql: string): Writes => WRITES.get(sql.trimStart().slice(0, 6).toLowerCase()) ?? "anything";

export class SqliteConnection implements DatabaseConnection {
  readonly raw: SqliteHandle;
  /** Total of bound bytes and characters so far, without short texts. */
  bytesBound = 0;
  /** Grows with each statement of a query that has written something. */
  rowsWritten = 0;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #queries = new Map<string, PreparedQuery>();

  constructor(file: string) {
    this.raw = getSqliteDriver().open(file);
  }
  statement(text: string): SqliteStatement {
    const kept = this.#statements.get(text);
    if (kept) return kept;
    makeRoom(this.#statements, STATEMENTS_KEPT_MAX);
    const prepared = this.raw.prepare(text);
    this.#statements.set(text, prepared);
    return prepared;
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return Promise.resolve(this.run<R>(query));
    } catch (error) {
      return Promise.reject(error);
    }
  }
  run<R>({ sql, parameters }: Pick<CompiledQuery, "sql" | "parameters">): QueryResult<R> {
    const { statement, makeRow, writes } = this.#query(sql);
    const values = this.#bound(parameters);
    if (writes === "anything") this.rowsWritten += 1;
    if (makeRow) {
      const rows = statement.all(values).map(makeRow as (values: unknown) => unknown) as R[];
      if (writes === "rows") this.rowsWritten += rows.length;
      return { rows };
    }
    const { changes } = statement.run(values);
    if (writes === "rows") this.rowsWritten += Number(changes);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }
  /** Texts and numbers need no conversion, and most statements have no other values. */
  #bound(parameters: readonly unknown[]): readonly unknown[] {
    let needsNone = true;
    for (const value of parameters)
      if (typeof value === "string") {
        if (value.length > SHORT_LENGTH_MAX) this.bytesBound += value.length;
      } else if (typeof value !== "number" && value !== null) needsNone = false;
    return needsNone ? parameters : parameters.map(this.#bindable);
  }
  readonly #bindable = (value: unknown): unknown => {
    if (value instanceof Uint8Array) this.bytesBound += value.length;
    return bindable(value);
  };
  #query(sql: string): PreparedQuery {
    const kept = this.#queries.get(sql);
    if (kept) return kept;
    makeRoom(this.#queries, STATEMENTS_KEPT_MAX);
    const statement = this.raw.prepare(sql);
    const makeRow = statement.reader ? rowMakerOf(statement.raw()) : undefined;
    const query = { statement, makeRow, writes: writesOf(sql) };
    this.#queries.set(sql, query);
    return query;
  }
  /** The connection accepts no change until all rows have been read. */
  async *streamQuery<R>(
    { sql, parameters }: CompiledQuery,
    rows: number,
  ): AsyncIterableIterator<QueryResult<R>> {
    const { statement, makeRow } = this.#query(sql);
    if (!makeRow) throw new Error("only rows can be streamed");
    let some: R[] = [];
    for (const values of statement.iterate(parameters.map(bindable)) as Iterable<unknown[]>) {
      some.push(makeRow(values) as R);
      if (some.length < rows) continue;
      yield { rows: some };
      some = [];
    }
    if (some.length > 0) yield { rows: some };
  }
  exec(text: string): void {
    this.raw.exec(text);
  }
  close(): void {
    this.#statements.clear();
    this.#queries.clear();
    this.raw.close();
  }
}

/**
 * The driver returns bare values. Building objects here is several times cheaper than in the driver. A generated
 * function with fixed columns is cheaper still.
 */
function rowMakerOf(statement: SqliteStatement): MakeRow {
  const members = statement.columns().map(({ name }, at) => `${JSON.stringify(name)}: values[${at}]`);
  return new Function("values", `return { ${members.join(", ")} };`) as MakeRow;
}

function bindable(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === undefined) return null;
  if (value instanceof Uint8Array && !Buffer.isBuffer(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value;
}
