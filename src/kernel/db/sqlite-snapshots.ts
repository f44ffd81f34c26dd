/** Connections for long reads, each with a snapshot of its own. One is kept, because opening one takes half a millisecond. */
import { SqliteConnection } from "./sqlite-connection.ts";

export class SqliteSnapshots {
  readonly #file: string;
  readonly #prepare: (connection: SqliteConnection) => void;
  #idle: SqliteConnection | undefined;
  #isClosed = false;

  constructor(file: string, prepare: (connection: SqliteConnection) => void) {
    this.#file = file;
    this.#prepare = prepare;
  }
  async read<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    const connection = this.#idle ?? this.#open();
    this.#idle = undefined;
    try {
      connection.exec("BEGIN");
      const result = await work(connection);
      connection.exec("COMMIT");
      this.#keep(connection);
      return result;
    } catch (error) {
      connection.close();
      throw error;
    }
  }
  #open(): SqliteConnection {
    const connection = new SqliteConnection(this.#file);
    this.#prepare(connection);
    connection.exec("PRAGMA query_only = ON");
    return connection;
  }
  #keep(connection: SqliteConnection): void {
    if (this.#idle || this.#isClosed) connection.close();
    else this.#idle = connection;
  }
  close(): void {
    this.#isClosed = true;
    this.#idle?.close();
    this.#idle = undefined;
  }
}
