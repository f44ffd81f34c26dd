/**
 * Embedded SQLite: WAL, full sync, group commit. Queued transactions run one after another inside one outer
 * transaction, each in its own savepoint. One commit makes them all durable, and then all callers get their
 * answers.
 */
import { stat } from "node:fs/promises";
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import { type AnyDb, type Database, Room } from "./database.ts";
import { HandleFactory } from "./single-connection.ts";
import { Checkpoints, PAGES_MAX } from "./sqlite-checkpoints.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { DistantConnection } from "./sqlite-large.ts";
import { WrittenAhead } from "./sqlite-log.ts";
import { SqliteReader } from "./sqlite-reader.ts";
import { SqliteSnapshots } from "./sqlite-snapshots.ts";

const GROUP_SIZE_MAX = 256;
/** Below this size, starting a thread takes longer than it saves. */
const LARGE_BYTES = 16 * 1024 * 1024;
/** A change of this size commits alone. A thread syncs the WAL before the caller gets the answer. */
const LONG_BYTES = 256 * 1024;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const dialect: Dialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => {
    throw new Error("connections are provided by the kernel");
  },
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
};

type Waiting = {
  readonly isLong: boolean;
  /** Nobody waits for the disk. */
  readonly isSoon: boolean;
  work(db: AnyDb): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
};
type Done = { readonly waiting: Waiting; readonly value: unknown };

/** `file` undefined: an in-memory database. */
export const openSqlite = (file: string | undefined): Database =>
  file === undefined ? openAlone(":memory:") : openFile(file);

/** For temporary work: in memory while small, then in an unnamed file. */
export const openScratch = (): Database => openAlone("");

/** One connection for everything, because no second connection can reach this data. */
function openAlone(name: string): Database {
  const writer = new SqliteConnection(name);
  prepareConnection(writer, false);
  const handles = new HandleFactory(dialect);
  const commits = new GroupCommit({ writer, handles, committed: () => {} });
  const read = handles.handleOf((use) => commits.betweenTransactions(() => use(writer)));
  return databaseOf({
    read,
    commits,
    transactLarge: (work) => commits.transact((db) => work(db, nextTurn)),
    snapshot: (work) => commits.transact(work),
    close: () => writer.close(),
  });
}

function openFile(file: string): Database {
  const writer = new SqliteConnection(file);
  prepareConnection(writer, true);
  const handles = new HandleFactory(dialect);
  const reader = new SqliteReader(file, (connection) => prepareConnection(connection, true));
  const checkpoints = new Checkpoints(file, (pages) => writer.exec(`PRAGMA wal_autocheckpoint = ${pages}`));
  const snapshots = new SqliteSnapshots(file, (connection) => prepareConnection(connection, true));
  const log = new WrittenAhead(file);
  const committed = () => {
    reader.endSnapshot();
    checkpoints.note(writer.bytesBound);
  };
  const commits = new GroupCommit({ writer, handles, committed, log });
  return databaseOf({
    read: handles.alwaysOn(reader),
    commits,
    async transactLarge(work, bytes = 0) {
      const isLarge = bytes + (await stat(file)).size >= LARGE_BYTES;
      return isLarge
        ? transactElsewhere(file, writer, commits, handles, work)
        : commits.transact((db) => work(db, nextTurn));
    },
    snapshot: (work) => snapshots.read((connection) => work(handles.alwaysOn(connection))),
    eraseDeleted: () => commits.rewriteFile(checkpoints),
    async close() {
      await checkpoints.close();
      await log.close();
      snapshots.close();
      reader.close();
      emptyLog(writer);
      writer.close();
    },
  });
}

/**
 * Not every driver closes the file at once, so the checkpoint runs here. If the disk is full, the next start does
 * it.
 */
function emptyLog(writer: SqliteConnection): void {
  try {
    writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    return;
  }
}

/**
 * Other changes use the writer right after the commit. It must not run the checkpoint of what the other thread
 * wrote.
 */
async function transactElsewhere<T>(
  file: string,
  writer: SqliteConnection,
  commits: GroupCommit,
  handles: HandleFactory,
  work: (db: AnyDb, pause: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const connection = new DistantConnection(file);
  writer.exec("PRAGMA wal_autocheckpoint = 0");
  try {
    return await commits.transactElsewhere(async () => {
      const handle = handles.handleOn(connection);
      try {
        await connection.exec("BEGIN IMMEDIATE");
        const value = await work(handle.db, nextTurn);
        handle.end();
        await connection.exec("COMMIT");
        return value;
      } catch (error) {
        // Queries that still run must not write after the end of their transaction.
        handle.end();
        // The next writer must not find the file locked. If nothing was begun, the rollback fails harmlessly.
        await connection.exec("ROLLBACK").catch(() => {});
        throw error;
      }
    });
  } finally {
    await connection.close();
    writer.exec(SIZES);
  }
}

const SIZES = `PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = ${PAGES_MAX}`;
const SYNC_AT_COMMIT = "PRAGMA synchronous = FULL";
const SYNC_LATER = "PRAGMA synchronous = NORMAL";

function prepareConnection(connection: SqliteConnection, onDisk: boolean): void {
  if (onDisk) connection.exec(`PRAGMA journal_mode = WAL; ${SYNC_AT_COMMIT}`);
  connection.exec(
    `PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; ${SIZES}`,
  );
}

type Parts = {
  readonly read: AnyDb;
  readonly commits: GroupCommit;
  readonly transactLarge: Database["transactLarge"];
  readonly snapshot: Database["snapshot"];
  readonly eraseDeleted?: () => Promise<void>;
  close(): void | Promise<void>;
};
function databaseOf({ read, commits, close, eraseDeleted, ...own }: Parts): Database {
  return {
    kind: "sqlite",
    read,
    transact: (work, bytes) => commits.transact(work, bytes),
    transactSoon: (work, bytes) => commits.transact(work, bytes, true),
    transactLarge: own.transactLarge,
    snapshot: own.snapshot,
    isReady: () =>
      sql`select 1`.execute(read).then(
        () => commits.room.isThere((work) => commits.transact(work)),
        () => false,
      ),
    migrateExclusively: (work) => commits.transact((db) => work(db, (script) => commits.run(script))),
    ...(eraseDeleted && { eraseDeleted }),
    async close() {
      await commits.settle();
      await close();
    },
  };
}

type GroupCommitOptions = {
  readonly writer: SqliteConnection;
  readonly handles: HandleFactory;
  readonly committed: () => void;
  /** Missing if there is no disk. */
  readonly log?: WrittenAhead;
};
class GroupCommit {
  readonly #writer: SqliteConnection;
  readonly #handles: HandleFactory;
  #queue: Waiting[] = [];
  readonly #elsewhere: (() => Promise<void>)[] = [];
  readonly #committed: () => void;
  readonly #log: WrittenAhead | undefined;
  #running: Promise<void> | undefined;
  readonly room = new Room();

  constructor({ writer, handles, committed, log }: GroupCommitOptions) {
    this.#writer = writer;
    this.#handles = handles;
    this.#committed = committed;
    this.#log = log;
  }

  transact<T>(work: (db: AnyDb) => T | Promise<T>, bytes = 0, isSoon = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const isLong = this.#log !== undefined && bytes >= LONG_BYTES;
      this.#queue.push({ isLong, isSoon, work, resolve: resolve as (value: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }
  /** Inside a transaction of `transact`. */
  run(script: string): void {
    this.#writer.exec(script);
  }
  /** `work` runs a transaction on another connection. Nothing changes here meanwhile. */
  transactElsewhere<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#elsewhere.push(() => this.#noted(work).then(resolve, reject));
      this.#running ??= this.#drain();
    });
  }
  /** Waits until no transaction is open; for readers on the writing connection. */
  async betweenTransactions<T>(use: () => Promise<T>): Promise<T> {
    while (this.#running) await this.#running;
    return use();
  }
  /** Removes all traces of deleted rows from the file and from the WAL. No checkpoint may run meanwhile. */
  async rewriteFile(checkpoints: Checkpoints): Promise<void> {
    do {
      await checkpoints.settle();
      await this.settle();
    } while (checkpoints.areRunning);
    this.#writer.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  async settle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    // Wait one event-loop turn, so that requests already received join the same commit.
    await nextTurn();
    while (this.#queue.length + this.#elsewhere.length > 0) {
      const large = this.#elsewhere.shift();
      await (large ? large() : this.#commitNext());
      if (this.#queue.length > 0) await this.#letOthersHaveATurn();
    }
    this.#running = undefined;
  }
  /** The answers to this group are written before the next group begins, and new changes join that group. */
  async #letOthersHaveATurn(): Promise<void> {
    await nextTurn();
    await nextTurn();
  }
  async #noted<T>(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      this.#committed();
      this.room.note();
      return value;
    } catch (error) {
      this.room.note(error);
      throw error;
    }
  }
  async #commitNext(): Promise<void> {
    const firstLong = this.#queue.findIndex(({ isLong }) => isLong);
    const size = firstLong < 0 ? GROUP_SIZE_MAX : Math.min(Math.max(firstLong, 1), GROUP_SIZE_MAX);
    const group = this.#queue.splice(0, size);
    if (this.#log && group.every(({ isSoon }) => isSoon)) return this.#commitUnsynced(group, () => {});
    if (firstLong === 0) return this.#commitUnsynced(group, () => this.#log?.sync());
    return this.#commitGroup(group, () => {});
  }
  async #commitUnsynced(group: readonly Waiting[], sync: () => Promise<void> | void): Promise<void> {
    this.#writer.exec(SYNC_LATER);
    try {
      await this.#commitGroup(group, sync);
    } finally {
      this.#writer.exec(SYNC_AT_COMMIT);
    }
  }
  /** Callers that wait for the disk get their answers after everything is there: by the commit itself, or by `sync`. */
  async #commitGroup(group: readonly Waiting[], sync: () => Promise<void> | void): Promise<void> {
    const done: Done[] = [];
    try {
      this.#writer.statement("BEGIN IMMEDIATE").run();
      for (const waiting of group) await this.#runOne(waiting, done);
      this.#writer.statement("COMMIT").run();
      await sync();
      this.#committed();
      if (done.length > 0) this.room.note();
    } catch (error) {
      this.room.note(error);
      if (this.#writer.raw.inTransaction) this.#writer.exec("ROLLBACK");
      for (const waiting of group) waiting.reject(error);
      return;
    }
    for (const { waiting, value } of done) waiting.resolve(value);
  }
  /** A failure rolls back only its own savepoint, not the rest of the group. */
  async #runOne(waiting: Waiting, done: Done[]): Promise<void> {
    const handle = this.#handles.handleOn(this.#writer);
    this.#writer.statement("SAVEPOINT one").run();
    try {
      const value = await waiting.work(handle.db);
      this.#writer.statement("RELEASE one").run();
      done.push({ waiting, value });
    } catch (error) {
      this.room.note(error);
      if (!this.#writer.raw.inTransaction) throw error;
      this.#writer.exec("ROLLBACK TO one; RELEASE one");
      waiting.reject(error);
    } finally {
      handle.end();
    }
  }
}
