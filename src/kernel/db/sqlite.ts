/** Embedded SQLite: WAL, full sync, group commit. */
import { stat } from "node:fs/promises";
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import type { AnyDb, Database } from "./database.ts";
import { HandleFactory } from "./single-connection.ts";
import { Checkpoints, LOG_BYTES } from "./sqlite-checkpoints.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { GroupCommit, nextTurn, SYNC_AT_COMMIT } from "./sqlite-group-commit.ts";
import { DistantConnection } from "./sqlite-large.ts";
import { WrittenAhead } from "./sqlite-log.ts";
import { SqliteReader } from "./sqlite-reader.ts";
import { SqliteSnapshots } from "./sqlite-snapshots.ts";
import { Turns } from "./sqlite-turns.ts";

/** Below this size, starting a thread takes longer than it saves. */
const LARGE_BYTES = 16 * 1024 * 1024;

const dialect: Dialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => {
    throw new Error("connections are provided by the kernel");
  },
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
};

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
  const turns = new Turns();
  const read = handles.handleOf(async (use) => {
    await turns.wait();
    return commits.betweenTransactions(() => use(writer));
  });
  return databaseOf({
    read,
    readHeld: read,
    commits,
    transactLarge: (work) => commits.transact((db) => work(db, nextTurn), { runsOnce: true }),
    snapshot: (work) => commits.transact(work, { runsOnce: true }),
    close: () => writer.close(),
  });
}

function openFile(file: string): Database {
  const writer = new SqliteConnection(file);
  prepareConnection(writer, true);
  const handles = new HandleFactory(dialect);
  const reader = new SqliteReader(file, (connection) => prepareConnection(connection, true));
  const checkpoints = new Checkpoints({
    file,
    exec: (text) => writer.exec(text),
    betweenChanges: (work) => commits.betweenChanges(work),
  });
  const snapshots = new SqliteSnapshots(file, (connection) => prepareConnection(connection, true));
  const log = new WrittenAhead(file);
  const committed = () => {
    reader.endSnapshot();
    checkpoints.note(writer.bytesBound);
  };
  const commits = new GroupCommit({ writer, handles, committed, log });
  return databaseOf({
    read: handles.alwaysOn(reader),
    readHeld: handles.alwaysOn({
      executeQuery: (query) => commits.readHeld(query, reader),
      streamQuery: () => reader.streamQuery(),
    }),
    commits,
    async transactLarge(work, bytes = 0) {
      const isLarge = bytes + (await stat(file)).size >= LARGE_BYTES;
      return isLarge
        ? transactElsewhere(file, commits, handles, work)
        : commits.transact((db) => work(db, nextTurn), { runsOnce: true });
    },
    async snapshot(work) {
      await commits.commitHeld();
      return snapshots.read((connection) => work(handles.alwaysOn(connection)));
    },
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

async function transactElsewhere<T>(
  file: string,
  commits: GroupCommit,
  handles: HandleFactory,
  work: (db: AnyDb, pause: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const connection = new DistantConnection(file);
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
  }
}

function prepareConnection(connection: SqliteConnection, onDisk: boolean): void {
  if (onDisk)
    connection.exec(
      `PRAGMA journal_mode = WAL; ${SYNC_AT_COMMIT}; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${LOG_BYTES}`,
    );
  connection.exec(
    "PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000",
  );
}

type Parts = {
  readonly read: AnyDb;
  readonly readHeld: AnyDb;
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
    transact: (work, bytes) => commits.transact(work, { bytes }),
    transactSoon: (work, bytes) => commits.transact(work, { bytes, when: "soon" }),
    transactHeld: (work, bytes) => commits.transact(work, { bytes, when: "held" }),
    commitHeld: () => commits.commitHeld(),
    readHeld: own.readHeld,
    transactLarge: own.transactLarge,
    snapshot: own.snapshot,
    isReady: () =>
      sql`select 1`.execute(read).then(
        () => commits.room.isThere((work) => commits.transact(work)),
        () => false,
      ),
    migrateExclusively: (work) =>
      commits.transact((db) => work(db, (script) => commits.run(script)), { runsOnce: true }),
    ...(eraseDeleted && { eraseDeleted }),
    async close() {
      await commits.settle();
      await close();
    },
  };
}
