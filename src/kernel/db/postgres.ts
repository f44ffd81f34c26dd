/** PostgreSQL shared by any number of nodes: serialisable transactions that run again where that is safe. */
import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import { kernelErrors, ServiceError } from "../operation/errors.ts";
import { type AnyDb, type Database, isDatabaseAway, Room } from "./database.ts";
import { readPostgresAddress } from "./postgres-address.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { PostgresServers } from "./postgres-servers.ts";
import { HandleFactory } from "./single-connection.ts";

const ATTEMPTS_MAX = 20;
/** Whoever has met others so often goes on in turn, so that each attempt meets fewer. */
const FREE_ATTEMPTS_MAX = 4;
/** A pause of random length before the next, twice as long each time until it is their turn. */
const PAUSE_MS = 4;
/** Whoever has met others even then runs while no other does: a long one would meet short ones for ever, and beside a long one the server no longer knows older ones apart and takes them for others. */
const TOGETHER_ATTEMPTS_MAX = 6;
/** So does whoever has met others and taken so long. */
const TOGETHER_MS_MAX = 2000;
/** It waits so long for those under way, longer each time: they may be at a large import, and meanwhile none begins. */
const UNDER_WAY_MS_MIN = 50;
const UNDER_WAY_MS_MAX = 2000;
/** Others wait for it no longer than a server lets a transaction rest. */
const ALONE_MS_MAX = 20_000;
/** It may itself rest for less, because all nodes wait for it: it may have been cut off. Whoever waits for a connection is still patient then. */
const ALONE_REST_MS_MAX = 10_000;
/** Of two that insert the same at once, the slower one may break a key; run again, it sees what the other wrote. */
const UNIQUE_VIOLATION = "23505";
const UNIQUE_ATTEMPTS_MAX = 3;
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";
/** What a change has read is remembered until all that ran beside it have ended: while a long one runs, there may be no room for more. */
const NO_ROOM_TO_REMEMBER = "53200";
/** A connection may have been lost while it rested; a new one is tried where that is safe and nobody waits too long. */
const LOST_ATTEMPTS_MAX = 3;
const LOST_MS_MAX = 5000;
const READY_MS_MAX = 1000;
const MIGRATION_LOCK = 740_211;
/** Held until the transaction ends. Taken by LOCK, which sees no rows yet: what it waited for is seen. */
const lock = (mode: string): string => `LOCK TABLE medley_migration IN ${mode} MODE`;
/** They meet each other as the server notices, and all of them whoever is alone. */
const BEGIN_TOGETHER = `BEGIN ISOLATION LEVEL SERIALIZABLE; ${lock("ROW SHARE")}`;
/** One at a time of all nodes, beside those that are together. */
const BEGIN_IN_TURN = `BEGIN ISOLATION LEVEL SERIALIZABLE; ${lock("SHARE UPDATE EXCLUSIVE")}`;
/** Whoever is alone on all nodes can meet nobody: the server need not watch, and cannot be mistaken. */
const beginAlone = (waitMs: number): string =>
  [
    "BEGIN ISOLATION LEVEL REPEATABLE READ",
    `SET LOCAL idle_in_transaction_session_timeout = ${ALONE_REST_MS_MAX}`,
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

export type PostgresOptions = { readonly url: string; readonly connectionsMax: number };

export function openPostgres({ url, connectionsMax }: PostgresOptions): Database {
  const servers = new PostgresServers(readPostgresAddress(url));
  const postgres = new Postgres(servers, new PostgresPool(servers, connectionsMax));
  return {
    kind: "postgres",
    read: postgres.read,
    transact: (work) => postgres.transact(work),
    transactLarge: (work) => postgres.transact((db) => work(db, async () => {})),
    snapshot: (work) => postgres.snapshot(work),
    isReady: () => postgres.isReady(),
    migrateExclusively: (work) => postgres.migrateExclusively(work),
    close: () => postgres.close(),
  };
}

const MET_OTHERS = new Set([SERIALIZATION_FAILURE, DEADLOCK, LOCK_NOT_AVAILABLE, NO_ROOM_TO_REMEMBER]);
function hasMetOthers(error: unknown, attempt: number): boolean {
  const { code } = error as { code?: string };
  if (code === UNIQUE_VIOLATION) return attempt < UNIQUE_ATTEMPTS_MAX;
  return code !== undefined && MET_OTHERS.has(code);
}
const hasNoRoom = (error: unknown): boolean => (error as { code?: string }).code === NO_ROOM_TO_REMEMBER;
/** The server that has no room to remember is there, and so is the connection. */
const isAway = (error: unknown): boolean => isDatabaseAway(error) && !hasNoRoom(error);

class Postgres {
  readonly #servers: PostgresServers;
  readonly #pool: PostgresPool;
  readonly #handles = new HandleFactory(dialect);
  readonly read: AnyDb;
  /** One at a time takes turns with other nodes. Waiting here holds no connection. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** Until the one that runs alone has ended. */
  #alone: Promise<unknown> | undefined;
  #asking: Promise<boolean> | undefined;
  readonly #room = new Room();

  constructor(servers: PostgresServers, pool: PostgresPool) {
    this.#servers = servers;
    this.#pool = pool;
    this.read = this.#handles.handleOf((use) => this.#again(() => this.#pool.use(use, isAway)));
  }
  close(): Promise<void> {
    return this.#pool.close();
  }
  /** One question at a time, so that those who keep asking hold one connection. */
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
        if (!hasMetOthers(error, attempt)) throw error;
        if (attempt === ATTEMPTS_MAX)
          throw kernelErrors.unavailable("Too many changes at once met here; try again.");
        const isLate = attempt >= TOGETHER_ATTEMPTS_MAX || performance.now() - beganMs > TOGETHER_MS_MAX;
        if (triesAlone > 0 || isLate || hasNoRoom(error)) triesAlone += 1;
        const pauseMs = PAUSE_MS * 2 ** Math.min(attempt, FREE_ATTEMPTS_MAX);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs));
      }
  }
  #attempt<T>(work: (db: AnyDb) => T | Promise<T>, attempt: number, triesAlone: number): Promise<T> {
    if (triesAlone > 0) return this.#inTurn(() => this.#byItself(work, triesAlone));
    if (attempt <= FREE_ATTEMPTS_MAX) return this.#amongOthers(work);
    return this.#inTurn(() => this.#change(work, BEGIN_IN_TURN));
  }
  async #amongOthers<T>(work: (db: AnyDb) => T | Promise<T>): Promise<T> {
    if (this.#alone) await soon(this.#alone, ALONE_MS_MAX);
    return this.#change(work, BEGIN_TOGETHER);
  }
  /** In turn, so that there is one at a time. Those who wait for it on this node hold no connection. */
  async #byItself<T>(work: (db: AnyDb) => T | Promise<T>, tries: number): Promise<T> {
    const waitMs = Math.min(UNDER_WAY_MS_MIN * 2 ** (tries - 1), UNDER_WAY_MS_MAX);
    const ended = this.#change(work, beginAlone(waitMs));
    this.#alone = ended.catch(() => {});
    try {
      return await ended;
    } finally {
      this.#alone = undefined;
    }
  }
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }
  /** Whatever failed here for want of a connection has changed nothing. */
  async #again<T>(work: () => Promise<T>): Promise<T> {
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
    return this.#again(() => this.#pool.use(changeOn, isLost));
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
    const handle = this.#handles.handleOn(connection);
    connection.begin(begin);
    let value: T;
    try {
      value = await work(handle.db);
    } catch (error) {
      // What still runs of it must not reach the server behind the end of its transaction.
      handle.end();
      if (!isLost(error)) await connection.rollback().catch(() => connection.destroy());
      throw error;
    }
    handle.end();
    await commit(connection);
    return value;
  }
}

/** When it has ended, or should have. */
async function soon(waitedFor: Promise<unknown>, msMax: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, msMax);
  });
  await Promise.race([waitedFor, late]).finally(() => clearTimeout(timer));
}

/** The server was asked to commit, and has not said that it did: so it is not done again, and the caller is told. */
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
  // A standby that should have it too may not: after a failover it could be gone.
  if (ended.warned) throw new CommitUnknown();
  if (ended.command === "ROLLBACK")
    throw new Error("a change was kept although one of its statements had failed");
}
