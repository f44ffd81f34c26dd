/** PostgreSQL shared by any number of nodes: named statements, serialisable transactions with retry. */
import { createHash } from "node:crypto";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import pg from "pg";
import { kernelErrors } from "../operation/errors.ts";
import { type AnyDb, type Database, isDatabaseAway } from "./database.ts";
import { HandleFactory } from "./single-connection.ts";

const ATTEMPTS_MAX = 20;
/** Whoever has met others so often goes on in turn, so that each attempt meets fewer. */
const FREE_ATTEMPTS_MAX = 4;
const TURN_LOCK = 740_212;
/** Waiting for a connection that others use counts as well. */
const CONNECT_MS_MAX = 15_000;
const MIGRATION_LOCK = 740_211;
/** Of two that insert the same at once, the slower one may break a key; run again, it sees what the other wrote. */
const UNIQUE_VIOLATION = "23505";
const UNIQUE_ATTEMPTS_MAX = 3;
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
const INT8_TYPE = 20;
const NUMERIC_TYPE = 1700;

const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => {
    throw new Error("connections are provided by the kernel");
  },
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8_TYPE || oid === NUMERIC_TYPE
      ? Number
      : pg.types.getTypeParser(oid, format as "text")) as never,
};

export type PostgresOptions = { readonly url: string; readonly connectionsMax: number };

export function openPostgres({ url, connectionsMax }: PostgresOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    types,
    application_name: "medley",
    connectionTimeoutMillis: CONNECT_MS_MAX,
  });
  // A connection lost while idle is replaced on next use; the query that needs it reports its own failure. So does
  // one lost between two queries of a transaction: unheard, its event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const handles = new HandleFactory(dialect);
  const turns = new Turns();
  const read = handles.handleOf(async (use) =>
    withClient(pool, (client) => use(new PostgresConnection(client))),
  );
  return {
    kind: "postgres",
    read,
    transact: (work) => transactWithRetry(pool, handles, turns, work),
    migrateExclusively: (work) => migrateUnderLock(pool, handles, work),
    close: () => pool.end(),
  };
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  constructor(client: pg.PoolClient) {
    this.#client = client;
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const values = query.parameters.map(bindable);
    const result = await this.#client.query({ name: statementName(query.sql), text: query.sql, values });
    return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }
  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("stream rows by keyset pages instead");
  }
}

function bindable(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Uint8Array && !Buffer.isBuffer(value)) return Buffer.from(value);
  return value;
}

const names = new Map<string, string>();
const NAMES_KEPT_MAX = 5000;
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= NAMES_KEPT_MAX) return undefined;
  const name = `m${createHash("sha1").update(text).digest("hex").slice(0, 24)}`;
  names.set(text, name);
  return name;
}

async function withClient<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let lost: Error | undefined;
  try {
    return await use(client);
  } catch (error) {
    if (isDatabaseAway(error)) lost = error as Error;
    throw error;
  } finally {
    client.release(lost);
  }
}

/** One at a time. Waiting here holds no connection, which the one whose turn it is may need besides its own. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
/** Among all nodes. The lock is taken before the transaction begins, because that sees nothing of later commits. */
async function withTurn<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("SELECT pg_advisory_lock($1)", [TURN_LOCK]);
  try {
    return await work();
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [TURN_LOCK]).catch(() => {});
  }
}

async function transactWithRetry<T>(
  pool: pg.Pool,
  handles: HandleFactory,
  turns: Turns,
  work: (db: AnyDb) => Promise<T>,
): Promise<T> {
  const once = (client: pg.PoolClient) => transactOnce(client, handles, work);
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt <= FREE_ATTEMPTS_MAX) return await withClient(pool, once);
      return await turns.take(() => withClient(pool, (client) => withTurn(client, () => once(client))));
    } catch (error) {
      const code = (error as { code?: string }).code;
      const isClash = code === UNIQUE_VIOLATION && attempt < UNIQUE_ATTEMPTS_MAX;
      if (code !== SERIALIZATION_FAILURE && code !== DEADLOCK && !isClash) throw error;
      if (attempt === ATTEMPTS_MAX)
        throw kernelErrors.unavailable("Too many changes at once met here; try again.");
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4 * 2 ** Math.min(attempt, 6)));
    }
  }
}

async function transactOnce<T>(
  client: pg.PoolClient,
  handles: HandleFactory,
  work: (db: AnyDb) => Promise<T>,
): Promise<T> {
  const handle = handles.handleOn(new PostgresConnection(client));
  await client.query("BEGIN ISOLATION LEVEL SERIALIZABLE");
  try {
    const value = await work(handle.db);
    await client.query("COMMIT");
    return value;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    handle.end();
  }
}

async function migrateUnderLock(
  pool: pg.Pool,
  handles: HandleFactory,
  work: (db: AnyDb) => Promise<void>,
): Promise<void> {
  await withClient(pool, async (client) => {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const handle = handles.handleOn(new PostgresConnection(client));
    try {
      await client.query("BEGIN");
      await work(handle.db);
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      throw error;
    } finally {
      handle.end();
      await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]);
    }
  });
}
