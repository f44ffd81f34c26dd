/**
 * The reading connection. Reads of one event-loop turn share one snapshot, because locking and unlocking for each
 * read costs several times the read itself. A commit ends the snapshot at once, so every later read sees it.
 */
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { SqliteConnection } from "./sqlite-connection.ts";
import { Turns } from "./sqlite-turns.ts";

export class SqliteReader implements DatabaseConnection {
  readonly #connection: SqliteConnection;
  readonly #turns = new Turns();
  #open = false;
  readonly #end = () => this.endSnapshot();

  constructor(file: string, prepare: (connection: SqliteConnection) => void) {
    this.#connection = new SqliteConnection(file);
    prepare(this.#connection);
    this.#connection.exec("PRAGMA query_only = ON");
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const othersFirst = this.#turns.wait();
    return othersFirst === undefined ? this.#read(query) : othersFirst.then(() => this.#read(query));
  }
  #read<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#open) {
      this.#connection.statement("BEGIN").run();
      this.#open = true;
      setImmediate(this.#end);
    }
    return this.#connection.executeQuery<R>(query);
  }
  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("this snapshot ends with the turn: stream rows from one of their own");
  }
  endSnapshot(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#connection.statement("COMMIT").run();
  }
  close(): void {
    this.endSnapshot();
    this.#connection.close();
  }
}
