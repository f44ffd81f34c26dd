/**
 * Embedded SQLite: WAL, full sync, group commit. Queued transactions run one after another inside one outer
 * transaction, each in its own savepoint; one commit makes them all durable, then all are answered.
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

const GROUP_SIZE_MAX = 256;
/** With less than this to move, starting a thread takes longer than it saves. */
const LARGE_BYTES = 16 * 1024 * 1024;
/** A change that brings so much is committed for itself, and the disk is waited for elsewhere before it is answered. */
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
  work(db: AnyDb): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
};
type Done = { readonly waiting: Waiting; readonly value: unknown };

/** `file` undefined: everything stays in memory. */
export const openSqlite = (file: string | undefined): Database =>
  file === undefined ? openAlone(":memory:") : openFile(file);

/** For work that is thrown away: in memory as long as it is small, then in a file without a name. */
export const openScratch = (): Database => openAlone("");

/** One connection for everything: nobody else can have another one to the same data. */
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
    snapshot: (work) => readSnapshot(file, handles, work),
    eraseDeleted: () => commits.rewriteFile(checkpoints),
    async close() {
      await checkpoints.close();
      await log.close();
      reader.close();
      emptyLog(writer);
      writer.close();
    },
  });
}

/** Not every driver closes the file at once, so what was written ahead is copied into it here. A full disk leaves it to the next start. */
function emptyLog(writer: SqliteConnection): void {
  try {
    writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    return;
  }
}

async function readSnapshot<T>(
  file: string,
  handles: HandleFactory,
  work: (db: AnyDb) => Promise<T>,
): Promise<T> {
  const connection = new SqliteConnection(file);
  try {
    prepareConnection(connection, true);
    connection.exec("PRAGMA query_only = ON; BEGIN");
    return await work(handles.alwaysOn(connection));
  } finally {
    connection.close();
  }
}

/** The writer, which others use as soon as it is committed, leaves to the other thread what that has written ahead. */
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
        // What still runs of it must not be written behind the end of its transaction.
        handle.end();
        // Whoever writes next must not find the file locked. Where nothing was begun, there is nothing to undo.
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
  /** Missing where there is no disk to wait for. */
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

  transact<T>(work: (db: AnyDb) => T | Promise<T>, bytes = 0): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const isLong = this.#log !== undefined && bytes >= LONG_BYTES;
      this.#queue.push({ isLong, work, resolve: resolve as (value: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }
  /** Inside a transaction of `transact`. */
  run(script: string): void {
    this.#writer.exec(script);
  }
  /** `work` opens and ends a transaction on another connection; nothing is changed here meanwhile. */
  transactElsewhere<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#elsewhere.push(() => this.#noted(work).then(resolve, reject));
      this.#running ??= this.#drain();
    });
  }
  /** Waits until no transaction is open; for readers that share the writing connection. */
  async betweenTransactions<T>(use: () => Promise<T>): Promise<T> {
    while (this.#running) await this.#running;
    return use();
  }
  /** Nothing that was deleted is left in it, nor in the log beside it, which nobody else copies meanwhile. */
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
    // One turn of the event loop, so that requests already received join the same commit.
    await nextTurn();
    while (this.#queue.length + this.#elsewhere.length > 0) {
      const large = this.#elsewhere.shift();
      await (large ? large() : this.#commitNext());
      if (this.#queue.length > 0) await this.#letOthersHaveATurn();
    }
    this.#running = undefined;
  }
  /** So that the answers to this group are written before the next begins, and what comes meanwhile shares its commit. */
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
    if (firstLong === 0) return this.#commitLong(this.#queue.splice(0, 1));
    const size = firstLong < 0 ? GROUP_SIZE_MAX : Math.min(firstLong, GROUP_SIZE_MAX);
    return this.#commitGroup(this.#queue.splice(0, size), () => {});
  }
  async #commitLong(group: readonly Waiting[]): Promise<void> {
    this.#writer.exec(SYNC_LATER);
    try {
      await this.#commitGroup(group, () => this.#log?.sync());
    } finally {
      this.#writer.exec(SYNC_AT_COMMIT);
    }
  }
  /** Nobody is answered before all of it is on the disk: by the commit itself, or by `sync`. */
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
  /** A failure undoes this one's savepoint and leaves the others of the group alone. */
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
