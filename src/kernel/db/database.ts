/** The two databases behind one interface. Only this folder knows which one is in use. */
import type { Kysely } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: every service brings its own tables.
export type AnyDb = Kysely<any>;

export type Database = {
  readonly kind: "sqlite" | "postgres";
  /** Committed state only; never inside a transaction. */
  readonly read: AnyDb;
  /**
   * One durable transaction: when the promise resolves, the change survives a crash. `work` may run again
   * after a serialisation conflict, so it must have no effect but on the database. No other waiting inside.
   * `bytes`: about how much it brings, where that is much: the main thread then does not wait for the disk.
   */
  transact<T>(work: (db: AnyDb) => T | Promise<T>, bytes?: number): Promise<T>;
  /**
   * For changes of any size: `work` waits for `pause` between its steps, so that others have a turn. On SQLite other
   * changes wait for its end all the same. `bytes`: about how much it brings.
   */
  transactLarge<T>(work: (db: AnyDb, pause: () => Promise<void>) => Promise<T>, bytes?: number): Promise<T>;
  /** One moment's state, to be read for as long as it takes while others write (in memory, they wait). Rows can be streamed. */
  snapshot<T>(work: (db: AnyDb) => Promise<T>): Promise<T>;
  /** Whether it answers within a second and, where its disk was full, has room again. */
  isReady(): Promise<boolean>;
  /** One process at a time, also across nodes. `run`: many statements at once, on an embedded database. */
  migrateExclusively(work: (db: AnyDb, run?: (script: string) => void) => Promise<void>): Promise<void>;
  /** Leaves nothing of what was deleted or replaced; where the database does not see to it by itself. */
  eraseDeleted?(): Promise<void>;
  close(): Promise<void>;
};

/** True for a broken unique or primary key, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === "SQLITE_CONSTRAINT_PRIMARYKEY" || code === "SQLITE_CONSTRAINT_UNIQUE" || code === "23505";
}

/**
 * Connections that broke or were refused (08, 57P, of the network), servers that take no writes (25006) or have no
 * room (53), transactions that rested too long (25P03) and statements that took too long (57014).
 */
const AWAY_CODE =
  /^(?:08|53|57P|57014$|25006$|25P03$|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
const AWAY_WORDS =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when)/;
/** True where the database cannot be reached or used, or went away in mid-query. PostgreSQL's client has codes for some of it. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? AWAY_CODE.test(code) : AWAY_WORDS.test(error.message);
}

/** A number that has no room in its column. Only PostgreSQL says so. */
export const isOutOfRange = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === "22003";

const FULL_CODE = /^(?:SQLITE_FULL|SQLITE_IOERR_(?:WRITE|FSYNC|SHMSIZE)|ENOSPC|EDQUOT|53100)$/;
/** True where the disk takes no more: of SQLite, of PostgreSQL, or of a file of our own. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && FULL_CODE.test(code);
}

const PROBE_BYTES = 64 * 1024;
const PROBE = { name: "room", value: "x".repeat(PROBE_BYTES) };

/** Whether there is room: doubted when a change failed for want of it, believed again when one was made. */
export class Room {
  #isDoubted = false;
  /** To be told of every change, with the error of one that failed. */
  note(error?: unknown): void {
    if (error === undefined) this.#isDoubted = false;
    else if (isDiskFull(error)) this.#isDoubted = true;
  }
  /** Where others have given up writing, this is how it is found out that they need not. */
  async isThere(transact: Database["transact"]): Promise<boolean> {
    if (!this.#isDoubted) return true;
    return transact(async (db) => {
      await db.insertInto("medley_setting").values(PROBE).execute();
      await db.deleteFrom("medley_setting").where("name", "=", PROBE.name).execute();
    }).then(
      () => true,
      () => false,
    );
  }
}
