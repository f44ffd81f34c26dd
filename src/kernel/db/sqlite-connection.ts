/** One better-sqlite3 connection as Kysely sees it, with its prepared statements kept. */
import Sqlite from "better-sqlite3";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";

const STATEMENTS_KEPT_MAX = 1000;

export class SqliteConnection implements DatabaseConnection {
  readonly raw: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement>();

  constructor(file: string, options: Sqlite.Options = {}) {
    this.raw = new Sqlite(file, options);
  }
  statement(text: string): Sqlite.Statement {
    const kept = this.#statements.get(text);
    if (kept) return kept;
    if (this.#statements.size >= STATEMENTS_KEPT_MAX) this.#statements.clear();
    const prepared = this.raw.prepare(text);
    this.#statements.set(text, prepared);
    return prepared;
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return Promise.resolve(this.#run<R>(query));
    } catch (error) {
      return Promise.reject(error);
    }
  }
  #run<R>(query: CompiledQuery): QueryResult<R> {
    const statement = this.statement(query.sql);
    const parameters = query.parameters.map(bindable);
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }
  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("stream rows by keyset pages instead");
  }
  exec(text: string): void {
    this.raw.exec(text);
  }
  close(): void {
    this.#statements.clear();
    this.raw.close();
  }
}

function bindable(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === undefined) return null;
  if (value instanceof Uint8Array && !Buffer.isBuffer(value)) return Buffer.from(value);
  return value;
}
