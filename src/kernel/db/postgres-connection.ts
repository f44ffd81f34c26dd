/** One connection to PostgreSQL on a socket of our own, so that its silence is noticed and it can be ended at once. */
import { createHash } from "node:crypto";
import { Socket } from "node:net";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import pg from "pg";

/** Until a server has taken us in. */
const CONNECT_MS_MAX = 5000;
/** The server gives up a statement after this long; who hears nothing even later is not connected any more. */
export const STATEMENT_MS_MAX = 60_000;
/** So long may a transaction rest: a node that is cut off must not hold what others wait for. */
const REST_MS_MAX = 20_000;
const KEEP_ALIVE_SECONDS = 10;
const CLOSE_MS_MAX = 1000;
const WARNING = "01000";
const ADMIN_SHUTDOWN = "57P01";
/** A statement before it has failed, in the same transaction. */
const ABORTED = "25P02";
const INT8_TYPE = 20;
const NUMERIC_TYPE = 1700;

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8_TYPE || oid === NUMERIC_TYPE
      ? Number
      : pg.types.getTypeParser(oid, format as "text")) as never,
};

/** Settings that a pooler which shares server connections among clients does not take. */
const SESSION_SETTINGS = [
  `statement_timeout=${STATEMENT_MS_MAX}`,
  `idle_in_transaction_session_timeout=${REST_MS_MAX}`,
  `tcp_keepalives_idle=${KEEP_ALIVE_SECONDS}`,
  `tcp_keepalives_interval=${KEEP_ALIVE_SECONDS / 2}`,
  "tcp_keepalives_count=3",
];

export type ConnectOptions = {
  readonly server: string;
  /** Settings of one's own, as in `-c search_path=medley`. */
  readonly settings: string;
  readonly session: Session;
};
/** Known of all connections together: `kept` is false behind a pooler in transaction mode, where none can have a name or setting. */
export type Session = { kept: boolean };

export class ReadOnlyServer extends Error {
  readonly code = "25006";
  constructor() {
    super("this PostgreSQL takes no writes: it is a standby, or set to be read-only");
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
  /** While the server has not answered it yet. */
  #begun: Promise<unknown> | undefined;
  #mayFollow = false;
  #cause: unknown;
  #isGathering = false;
  /** The server's process, where it is known and not hidden by a pooler. */
  serverProcess: number | undefined;
  lost = false;
  /** When it was last given back; what the pool needs to know. */
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
    // Unheard, this event would end the process; the query that needs the connection reports its own failure.
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
  /** Connected to a server that takes writes, or not at all. */
  static async open(options: ConnectOptions): Promise<PostgresConnection> {
    const connection = new PostgresConnection(options);
    const timer = setTimeout(() => connection.destroy(), CONNECT_MS_MAX);
    try {
      await connection.#client.connect();
      await connection.#meet();
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
  async #meet(): Promise<void> {
    const { rows } = await this.#client.query<{ read_only: string; pid: number }>(
      "SELECT current_setting('transaction_read_only') AS read_only, pg_backend_pid() AS pid",
    );
    if (rows[0]?.read_only === "on") throw new ReadOnlyServer();
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
  /** What is asked in the same turn is sent together, and answered in order. */
  async query(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#toBegin !== undefined) this.#sendBegin(this.#toBegin);
    const begun = this.#begun;
    if (begun === undefined) return this.#send(query);
    if (this.#mayFollow && isQuestion(query)) {
      const [, result] = await Promise.all([begun, this.#send(query)]);
      return result;
    }
    // Nothing is changed before it is known that it can be taken back, and nothing goes ahead of what waits for that.
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
  /** Of statements that were sent behind one that failed, each fails for its sake. */
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
  /** A transaction begins with its first statement; one without any takes no time. */
  begin(statement: string): void {
    this.#toBegin = statement;
    this.#cause = undefined;
  }
  /** Commits, and answers whether the server has warned that the change may be on it alone. */
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

  /** How long an answer has been waited for without a byte of it; 0 where nothing is waited for. */
  silentMs(nowMs: number): number {
    if (this.#underWay === 0) return 0;
    if (this.#socket.bytesRead !== this.#heardBytes) {
      this.#heardBytes = this.#socket.bytesRead;
      this.#heardMs = nowMs;
    }
    return nowMs - this.#heardMs;
  }
  /** Ends it without a word; what waits for an answer fails at once. */
  destroy(): void {
    this.lost = true;
    this.#socket.destroy();
  }
  /** Ends it politely, and otherwise where that takes too long. */
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
/** How rare a text is decides how it is looked for: such statements are planned anew each time. */
const IS_LOOKING = / like \$/;
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= NAMES_KEPT_MAX || IS_LOOKING.test(text)) return undefined;
  const name = `m${createHash("sha1").update(text).digest("hex").slice(0, 24)}`;
  names.set(text, name);
  return name;
}
