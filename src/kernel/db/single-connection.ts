/** Kysely handles on one given connection. A handle ends with its transaction. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type DialectAdapter,
  DummyDriver,
  Kysely,
  type QueryCompiler,
  type QueryExecutor,
  type QueryResult,
} from "kysely";
import type { AnyDb } from "./database.ts";

type Provide = <T>(use: (connection: DatabaseConnection) => Promise<T>) => Promise<T>;
export type Handle = { readonly db: AnyDb; end(): void };

/** Knows the SQL dialect, and never opens a connection. */
export class HandleFactory {
  readonly #dialect: Dialect;
  readonly #driver = new DummyDriver();
  readonly #compiler;
  readonly #adapter;
  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#compiler = dialect.createQueryCompiler();
    this.#adapter = dialect.createAdapter();
  }

  /** A handle that works until `end`. */
  handleOn(connection: DatabaseConnection): Handle {
    const guarded = new EndableConnection(connection);
    return { db: this.alwaysOn(guarded), end: () => guarded.end() };
  }
  /** A handle on a connection that can be used at any time. */
  alwaysOn(connection: DatabaseConnection): AnyDb {
    return this.#kyselyWith(new ReadyExecutor(this.#compiler, this.#adapter, connection));
  }
  /** A handle that gets a connection for each query. */
  handleOf(provideConnection: Provide): AnyDb {
    return this.#kyselyWith(new DefaultQueryExecutor(this.#compiler, this.#adapter, { provideConnection }));
  }
  #kyselyWith(executor: QueryExecutor): AnyDb {
    return new Kysely({
      config: { dialect: this.#dialect },
      dialect: this.#dialect,
      driver: this.#driver,
      executor,
    });
  }
}

/** Has its connection already, so a compiled query skips Kysely's provider. */
export class ReadyExecutor extends DefaultQueryExecutor {
  readonly connection: DatabaseConnection;
  constructor(compiler: QueryCompiler, adapter: DialectAdapter, connection: DatabaseConnection) {
    super(compiler, adapter, { provideConnection: async (use) => use(connection) });
    this.connection = connection;
  }
}

class EndableConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  #over = false;
  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }
  end(): void {
    this.#over = true;
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#over)
      return Promise.reject(new Error("a database handle was used after its transaction had ended"));
    return this.#connection.executeQuery<R>(query);
  }
  streamQuery<R>(query: CompiledQuery, rows: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, rows);
  }
}
