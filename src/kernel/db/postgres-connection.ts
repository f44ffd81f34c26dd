/** One connection to PostgreSQL. It owns its socket, so that it can detect silence and close the socket at once. */
import { createHash } from "node:crypto";
import { Socket } from "node:net";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import pg from "pg";

/** Timeout for connecting to a server. */
const CONNECT_MS_MAX = 5000;
/** The server cancels a statement after this time. If no answer comes even later, the connection is lost. */
export const STATEMENT_MS_MAX = 60_000;
/** The server ends an idle transaction after this time: a node that is cut off must not keep its locks. */
const REST_MS_MAX = 20_000;
const KEEP_ALIVE_SECONDS = 10;
const CLOSE_MS_MAX = 1000;
const WARNING = "01000";
const ADMIN_SHUTDOWN = "57P01";
/** An earlier statement of the same transaction has failed. */
const ABORTED = "25P02";
const INT8_TYPE = 20;
const NUMERIC_TYPE = 1700;

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8_TYPE || oid === NUMERIC_TYPE
      ? Number
      : pg.types.getTypeParser(oid, format as "text")) as never,
};

/** Session settings. A pooler in transaction mode refuses them. */
const SESSION_SETTINGS = [
  `statement_timeout=${STATEMENT_MS_MAX}`,
  `idle_in_transaction_session_timeout=${REST_MS_MAX}`,
  `tcp_keepalives_idle=${KEEP_ALIVE_SECONDS}`,
  `tcp_keepalives_interval=${KEEP_ALIVE_SECONDS / 2}`,
  "tcp_keepalives_count=3",
];

/** A primary accepts writes, a standby does not. */
export type ServerRole = "primary" | "standby";
export type ConnectOptions = {
  readonly server: string;
  readonly role: ServerRole;
  /** Additional settings, such as `-c search_path=medley`. */
  readonly settings: string;
  readonly session: Session;
};
/**
 * Shared by all connections. `kept` is false behind a pooler in transaction mode: then there are neither prepared
 * statements nor settings.
 */
export type Session = { kept: boolean };

export class ReadOnlyServer extends Error {
  readonly code = "25006";
  constructor() {
    super("this PostgreSQL takes no writes: it is a standby, or set to be read-only");
  }
}

class WritableServer extends Error {
  constructor() {
    super("this PostgreSQL takes writes: it is no standby");
  }
}

export class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #session: Session;
  readonly server: string;
  #underWay = 0;
  #heardMs = 0;
  #heardBytes = 0;
  #warned = false;
  #toBegin: string | undefined;
  /** Set until the server has answered BEGIN. */
  #begun: Promise<unknown> | undefined;
  #mayFollow = false;
  #cause: unknown;
  #isGathering = false;
  /** The backend process, if known and not hidden by a pooler. */
  serverProcess: number | undefined;
  lost = false;
  /** When the connection was last returned to the pool. */
  idleSinceMs = 0;

  private constructor({ server, settings, session }: ConnectOptions) {
    const own = session.kept ? SESSION_SETTINGS.map((setting) => `-c ${setting}`) : [];
    this.#socket = new Socket();
    this.server = server;
    this.#session = session;
    this.#client = new pg.Client({
      connectionString: server,
      types,
      application_name: "medley",
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_SECONDS * 1000,
      pipeline: session.kept,
      stream: () => this.#socket,
      options: [...own, settings].join(" ").trim(),
    });
    // Without a listener this event would end the process. The query that uses the connection reports the error.
    this.#client.on("error", () => {
      this.lost = true;
    });
    this.#client.on("end", () => {
      this.lost = true;
    });
    this.#client.on("notice", ({ code }) => {
      if (code === WARNING || code === ADMIN_SHUTDOWN) this.#warned = true;
    });
  }
  /** Connects to a server of this role, or throws. */
  static async open(options: ConnectOptions): Promise<PostgresConnection> {
    const connection = new PostgresConnection(options);
    const timer = setTimeout(() => connection.destroy(), CONNECT_MS_MAX);
    try {
      await connection.#client.connect();
      await connection.#meet(options.role);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
  async #meet(role: ServerRole): Promise<void> {
    const { rows } = await this.#client.query<{ read_only: string; pid: number }>(
      "SELECT current_setting('transaction_read_only') AS read_only, pg_backend_pid() AS pid",
    );
    const isStandby = rows[0]?.read_only === "on";
    if (isStandby && role === "primary") throw new ReadOnlyServer();
    if (!isStandby && role === "standby") throw new WritableServer();
    const { processID } = this.#client as pg.Client & { readonly processID?: number };
    if (rows[0]?.pid === processID) this.serverProcess = processID;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const name = this.#session.kept ? statementName(sql) : undefined;
    const result = await this.query({ name, text: sql, values: parameters.map(bindable) });
    return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }
  /** Inside a transaction only. */
  async *streamQuery<R>(
    { sql, parameters }: CompiledQuery,
    rows: number,
  ): AsyncIterableIterator<QueryResult<R>> {
    const text = `DECLARE rows_of_a_query NO SCROLL CURSOR FOR ${sql}`;
    await this.query({ text, values: parameters.map(bindable) });
    try {
      for (;;) {
        const some = await this.query(`FETCH ${rows} FROM rows_of_a_query`);
        if (some.rows.length === 0) return;
        yield { rows: some.rows };
      }
    } finally {
      await this.query("CLOSE rows_of_a_query").catch(() => {});
    }
  }
  /** Queries of the same event-loop turn are sent in one write and answered in order. */
  async query(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#toBegin !== undefined) this.#sendBegin(this.#toBegin);
    const begun = this.#begun;
    if (begun === undefined) return this.#send(query);
    if (this.#mayFollow && isQuestion(query)) {
      const [, result] = await Promise.all([begun, this.#send(query)]);
      return result;
    }
    // A write waits until BEGIN has succeeded, so that it can be rolled back. Later queries wait behind it.
    this.#mayFollow = false;
    await begun;
    return this.#send(query);
  }
  #sendBegin(statement: string): void {
    this.#toBegin = undefined;
    this.#mayFollow = this.#session.kept;
    this.#begun = this.#send(statement).finally(() => {
      this.#begun = undefined;
    });
  }
  async #send(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#underWay === 0) this.#heardMs = performance.now();
    this.#underWay += 1;
    this.#gather();
    try {
      return await this.#client.query(query);
    } catch (error) {
      throw this.#causeOf(error);
    } finally {
      this.#underWay -= 1;
      this.#heardMs = performance.now();
    }
  }
  /** Statements sent after a failed one also fail. Each then reports the first error. */
  #causeOf(error: unknown): unknown {
    if ((error as { code?: unknown }).code !== ABORTED) this.#cause = error;
    return this.#cause ?? error;
  }
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      this.#socket.uncork();
    });
  }
  /** BEGIN is sent with the first statement. An empty transaction costs no message. */
  begin(statement: string): void {
    this.#toBegin = statement;
    this.#cause = undefined;
  }
  /** Commits. `warned`: the server says that a synchronous standby may not have the change. */
  async commit(): Promise<{ readonly command: string; readonly warned: boolean }> {
    this.#warned = false;
    const command = await this.#end("COMMIT");
    return { command, warned: this.#warned };
  }
  async rollback(): Promise<void> {
    await this.#end("ROLLBACK");
  }
  async #end(statement: "COMMIT" | "ROLLBACK"): Promise<string> {
    const hasBegun = this.#toBegin === undefined;
    this.#toBegin = undefined;
    return hasBegun ? (await this.#send(statement)).command : statement;
  }

  /** How long the connection has waited for an answer without receiving a byte; 0 if it waits for nothing. */
  silentMs(nowMs: number): number {
    if (this.#underWay === 0) return 0;
    if (this.#socket.bytesRead !== this.#heardBytes) {
      this.#heardBytes = this.#socket.bytesRead;
      this.#heardMs = nowMs;
    }
    return nowMs - this.#heardMs;
  }
  /** Closes the socket without a message. Waiting queries fail at once. */
  destroy(): void {
    this.lost = true;
    this.#socket.destroy();
  }
  /** Closes gracefully, or destroys the socket after a timeout. */
  async close(): Promise<void> {
    this.lost = true;
    const timer = setTimeout(() => this.#socket.destroy(), CLOSE_MS_MAX);
    await this.#client.end().catch(() => {});
    clearTimeout(timer);
  }
}

const isQuestion = (query: string | pg.QueryConfig): boolean =>
  typeof query !== "string" && query.text.startsWith("select ");

function bindable(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Uint8Array && !Buffer.isBuffer(value)) return Buffer.from(value);
  return value;
}

const names = new Map<string, string>();
const NAMES_KEPT_MAX = 5000;
/** The best plan depends on how rare the text is, so these statements are planned on every execution. */
const IS_LOOKING = / like \$/;
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= NAMES_KEPT_MAX || IS_LOOKING.test(text)) return undefined;
  const name = `m${createHash("sha1").update(text).digest("hex").slice(0, 24)}`;
  names.set(text, name);
  return name;
}
