/** PostgreSQL shared by any number of nodes: serialisable transactions with retries where these are safe. */
import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import { kernelErrors, ServiceError } from "../operation/errors.ts";
import { type AnyDb, type Database, isDatabaseAway, Room } from "./database.ts";
import { KeyQueue } from "./key-queue.ts";
import { readPostgresAddress } from "./postgres-address.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { PostgresServers } from "./postgres-servers.ts";
import { PostgresStandby } from "./postgres-standby.ts";
import { settledWithin } from "./settled-within.ts";
import { HandleFactory } from "./single-connection.ts";

const ATTEMPTS_MAX = 20;
/** After so many conflicts, transactions are retried one at a time, so that each retry has fewer conflicts. */
const FREE_ATTEMPTS_MAX = 4;
/** Backoff before a retry: a random part of this pause, which doubles with each free attempt. */
const PAUSE_MS = 4;
/**
 * After so many conflicts a transaction runs alone. Otherwise short transactions would conflict with a long one
 * again and again. While a long one runs, the server also summarises old transactions, and reports false conflicts.
 */
const CONCURRENT_ATTEMPTS_MAX = 6;
/** After a conflict and so much time, a transaction runs alone as well. */
const CONCURRENT_MS_MAX = 2000;
/**
 * Lock timeout for running alone, doubled on each attempt. Running transactions may belong to a large import, and
 * no new one starts while we wait.
 */
const LOCK_WAIT_MS_MIN = 50;
const LOCK_WAIT_MS_MAX = 2000;
/** Other transactions of this node wait no longer for it than a server allows an idle transaction. */
const ALONE_MS_MAX = 20_000;
/**
 * All nodes wait for a transaction that runs alone, and its node may be cut off. So the server ends it earlier when
 * idle, before callers that wait for a connection time out.
 */
const ALONE_IDLE_MS_MAX = 10_000;
/** Two transactions may insert the same key at once. The loser is retried, and then sees the row of the winner. */
const UNIQUE_VIOLATION = "23505";
const UNIQUE_ATTEMPTS_MAX = 3;
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";
/**
 * Out of shared memory. The server keeps predicate locks until all concurrent transactions end, so a long one may
 * fill the table.
 */
const OUT_OF_SHARED_MEMORY = "53200";
/** An idle connection may be lost. A new one is tried if that is safe and the caller has not waited too long. */
const LOST_ATTEMPTS_MAX = 3;
const LOST_MS_MAX = 5000;
const READY_MS_MAX = 1000;
const MIGRATION_LOCK = 740_211;
/**
 * Held until the transaction ends. LOCK takes no snapshot, so the transaction sees what was committed while it
 * waited.
 */
const lock = (mode: string): string => `LOCK TABLE medley_migration IN ${mode} MODE`;
/** Conflicts with other serialisable transactions, and waits for one that runs alone. */
const BEGIN_CONCURRENT = `BEGIN ISOLATION LEVEL SERIALIZABLE; ${lock("ROW SHARE")}`;
/** One at a time across all nodes, concurrent with the free attempts. */
const BEGIN_ONE_AT_A_TIME = `BEGIN ISOLATION LEVEL SERIALIZABLE; ${lock("SHARE UPDATE EXCLUSIVE")}`;
/** Nothing else runs, so no conflict is possible. The weaker isolation level avoids false conflicts. */
const beginAlone = (waitMs: number): string =>
  [
    "BEGIN ISOLATION LEVEL REPEATABLE READ",
    `SET LOCAL idle_in_transaction_session_timeout = ${ALONE_IDLE_MS_MAX}`,
    `SET LOCAL lock_timeout = ${waitMs}`,
    lock("EXCLUSIVE"),
    "SET LOCAL lock_timeout TO DEFAULT",
  ].join("; ");
const BEGIN_MIGRATION = `BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;

const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => {
    throw new Error("connections are provided by the kernel");
  },
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

export type PostgresOptions = {
  readonly url: string;
  readonly connectionsMax: number;
  /** For reads that may be old, if it is not older than `lagSecondsMax`. */
  readonly standby?: { readonly url: string; readonly lagSecondsMax: number };
};

export function openPostgres({ url, connectionsMax, standby }: PostgresOptions): Database {
  const servers = new PostgresServers(readPostgresAddress(url));
  const postgres = new Postgres(servers, new PostgresPool(servers, connectionsMax));
  const changes = new KeyQueue();
  const follower = standby && openStandby(postgres, standby, connectionsMax);
  return {
    kind: "postgres",
    read: postgres.read,
    standby: follower,
    transact: (work, _bytes, resource) =>
      resource === undefined ? postgres.transact(work) : changes.run(resource, () => postgres.transact(work)),
    readHeld: postgres.read,
    transactSoon: (work) => postgres.transact(work),
    transactHeld: (work) => postgres.transact(work),
    commitHeld: async () => {},
    transactLarge: (work) => postgres.transact((db) => work(db, async () => {})),
    snapshot: (work) => postgres.snapshot(work),
    isReady: () => postgres.isReady(),
    migrateExclusively: (work) => postgres.migrateExclusively(work),
    async close() {
      await follower?.close();
      await postgres.close();
    },
  };
}
function openStandby(
  { usePrimary, handles }: Postgres,
  { url, lagSecondsMax }: NonNullable<PostgresOptions["standby"]>,
  connectionsMax: number,
): PostgresStandby {
  const servers = new PostgresServers(readPostgresAddress(url), "standby");
  const pool = new PostgresPool(servers, connectionsMax);
  const lagMsMax = lagSecondsMax * 1000;
  return new PostgresStandby({ servers, pool, handles, usePrimary, lagMsMax, isLost: isAway });
}

const CONFLICT_CODES = new Set([SERIALIZATION_FAILURE, DEADLOCK, LOCK_NOT_AVAILABLE, OUT_OF_SHARED_MEMORY]);
function isConflict(error: unknown, attempt: number): boolean {
  const { code } = error as { code?: string };
  if (code === UNIQUE_VIOLATION) return attempt < UNIQUE_ATTEMPTS_MAX;
  return code !== undefined && CONFLICT_CODES.has(code);
}
const isOutOfSharedMemory = (error: unknown): boolean =>
  (error as { code?: string }).code === OUT_OF_SHARED_MEMORY;
/** The server is out of shared memory, but it is alive, and so is the connection. */
const isAway = (error: unknown): boolean => isDatabaseAway(error) && !isOutOfSharedMemory(error);

class Postgres {
  readonly #servers: PostgresServers;
  readonly #pool: PostgresPool;
  readonly handles = new HandleFactory(dialect);
  readonly usePrimary = <T>(use: (connection: PostgresConnection) => Promise<T>): Promise<T> =>
    this.#retryLost(() => this.#pool.use(use, isAway));
  readonly read: AnyDb;
  /** Serialises retries of this node. A transaction that waits here holds no connection. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** Set while a transaction runs alone. */
  #alone: Promise<unknown> | undefined;
  #asking: Promise<boolean> | undefined;
  readonly #room = new Room();

  constructor(servers: PostgresServers, pool: PostgresPool) {
    this.#servers = servers;
    this.#pool = pool;
    this.read = this.handles.handleOf(this.usePrimary);
  }
  close(): Promise<void> {
    return this.#pool.close();
  }
  /** One check at a time, so that many callers use one connection. */
  async isReady(): Promise<boolean> {
    this.#asking ??= sql`select 1`
      .execute(this.read)
      .then(
        () => this.#room.isThere((work) => this.transact(work)),
        () => false,
      )
      .finally(() => {
        this.#asking = undefined;
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), READY_MS_MAX);
    });
    return Promise.race([this.#asking, late]).finally(() => clearTimeout(timer));
  }

  async transact<T>(work: (db: AnyDb) => T | Promise<T>): Promise<T> {
    try {
      const value = await this.#transact(work);
      this.#room.note();
      return value;
    } catch (error) {
      this.#room.note(error);
      throw error;
    }
  }
  async #transact<T>(work: (db: AnyDb) => T | Promise<T>): Promise<T> {
    const beganMs = performance.now();
    let triesAlone = 0;
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.#attempt(work, attempt, triesAlone);
      } catch (error) {
        if (!isConflict(error, attempt)) throw error;
        if (attempt === ATTEMPTS_MAX)
          throw kernelErrors.unavailable("Too many concurrent changes conflicted here; try again.");
        const isLate = attempt >= CONCURRENT_ATTEMPTS_MAX || performance.now() - beganMs > CONCURRENT_MS_MAX;
        if (triesAlone > 0 || isLate || isOutOfSharedMemory(error)) triesAlone += 1;
        const pauseMs = PAUSE_MS * 2 ** Math.min(attempt, FREE_ATTEMPTS_MAX);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs));
      }
  }
  #attempt<T>(work: (db: AnyDb) => T | Promise<T>, attempt: number, triesAlone: number): Promise<T> {
    if (triesAlone > 0) return this.#oneAtATime(() => this.#runAlone(work, triesAlone));
    if (attempt <= FREE_ATTEMPTS_MAX) return this.#runConcurrently(work);
    return this.#oneAtATime(() => this.#change(work, BEGIN_ONE_AT_A_TIME));
  }
  async #runConcurrently<T>(work: (db: AnyDb) => T | Promise<T>): Promise<T> {
    if (this.#alone) await settledWithin(this.#alone, ALONE_MS_MAX);
    return this.#change(work, BEGIN_CONCURRENT);
  }
  /** One at a time. Transactions of this node that wait for it hold no connection. */
  async #runAlone<T>(work: (db: AnyDb) => T | Promise<T>, tries: number): Promise<T> {
    const waitMs = Math.min(LOCK_WAIT_MS_MIN * 2 ** (tries - 1), LOCK_WAIT_MS_MAX);
    const ended = this.#change(work, beginAlone(waitMs));
    this.#alone = ended.catch(() => {});
    try {
      return await ended;
    } finally {
      this.#alone = undefined;
    }
  }
  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }
  /** A failure without a connection has changed nothing, so a retry is safe. */
  async #retryLost<T>(work: () => Promise<T>): Promise<T> {
    const startMs = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const isLost = isAway(error) && performance.now() - startMs < LOST_MS_MAX;
        if ((!isLost && !this.#servers.heedsLostStatement(error)) || attempt === LOST_ATTEMPTS_MAX)
          throw error;
      }
    }
  }
  snapshot<T>(work: (db: AnyDb) => Promise<T>): Promise<T> {
    const begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    return this.#pool.use((connection) => this.#within(connection, begin, work), isLost);
  }
  #change<T>(work: (db: AnyDb) => T | Promise<T>, begin: string): Promise<T> {
    const changeOn = (connection: PostgresConnection) =>
      this.#within(connection, begin, async (db) => work(db));
    return this.#retryLost(() => this.#pool.use(changeOn, isLost));
  }
  async migrateExclusively(work: (db: AnyDb) => Promise<void>): Promise<void> {
    const migrateOn = (connection: PostgresConnection) => this.#within(connection, BEGIN_MIGRATION, work);
    await this.#pool.use(migrateOn, isLost, { patient: true });
  }
  async #within<T>(
    connection: PostgresConnection,
    begin: string,
    work: (db: AnyDb) => Promise<T>,
  ): Promise<T> {
    const handle = this.handles.handleOn(connection);
    connection.begin(begin);
    let value: T;
    try {
      value = await work(handle.db);
    } catch (error) {
      // Statements that still run must not reach the server after the end of their transaction.
      handle.end();
      if (!isLost(error)) await connection.rollback().catch(() => connection.destroy());
      throw error;
    }
    handle.end();
    await commit(connection);
    return value;
  }
}

/**
 * COMMIT was sent but not confirmed. The change may have been made, so it is not retried, and the caller gets this
 * error.
 */
class CommitUnknown extends ServiceError {
  constructor() {
    super(
      kernelErrors.unavailable,
      "The database did not say whether the change was made: look before trying again.",
    );
  }
}
const isLost = (error: unknown): boolean => error instanceof CommitUnknown || isAway(error);

async function commit(connection: PostgresConnection): Promise<void> {
  const ended = await connection.commit().catch((error) => {
    throw isAway(error) ? new CommitUnknown() : error;
  });
  // A synchronous standby may not have the change: a failover could lose it.
  if (ended.warned) throw new CommitUnknown();
  if (ended.command === "ROLLBACK")
    throw new Error("a change was kept although one of its statements had failed");
}
