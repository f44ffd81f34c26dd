/** The two databases behind one interface. Only this folder knows which one is in use. */
import type { Kysely } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: every service brings its own tables.
export type AnyDb = Kysely<any>;

/** `problem` names no server, user or table. `detail` may, so it is for operators only. */
export type StandbyProblem = { readonly problem: string; readonly detail?: string };
/** Whether reads go to the standby now, and if not, why. */
export type StandbyState =
  | { readonly isUsed: true; readonly lagSeconds: number }
  | ({ readonly isUsed: false; readonly lagSeconds?: number } & StandbyProblem);
export type Standby = {
  /** Committed state, possibly some seconds old. Reads the primary while the standby cannot be used. */
  readonly read: AnyDb;
  readonly state: StandbyState;
  /** Brings `state` up to date. This also happens every second. */
  check(): Promise<void>;
};

export type Database = {
  readonly kind: "sqlite" | "postgres";
  /** Committed state only; never inside a transaction. */
  readonly read: AnyDb;
  /** Only if one is configured. */
  readonly standby?: Standby | undefined;
  /**
   * One durable transaction: when the promise resolves, the change survives a crash. `work` may be retried after a
   * conflict, so it must have no effect outside the database, and must not wait for anything else. `bytes`: the
   * approximate size of a large change. The main thread then does not wait for the disk. `resource`: changes of the
   * same one on this node run one after another, so that they do not conflict.
   */
  transact<T>(work: (db: AnyDb) => T | Promise<T>, bytes?: number, resource?: string): Promise<T>;
  /**
   * The same for many changes one after another: SQLite does not wait for the disk. The change survives a crash of
   * this process. It survives a crash of the machine once a later `transact` has resolved. No change is lost
   * without all later ones.
   */
  transactSoon<T>(work: (db: AnyDb) => T | Promise<T>, bytes?: number): Promise<T>;
  /**
   * The same, and on SQLite several share one commit. It comes with the next other change, with `commitHeld`, or after
   * a short time. A crash of this process loses held changes together. `readHeld` sees them, and `read` does not.
   */
  transactHeld<T>(work: (db: AnyDb) => T | Promise<T>, bytes?: number): Promise<T>;
  /** Call it before anything outside the database depends on held changes. Rejects if they were lost. */
  commitHeld(): Promise<void>;
  readonly readHeld: AnyDb;
  /**
   * For changes of any size: `work` awaits `pause` between its steps, so that other requests are served. On SQLite
   * other changes still wait for its end. `bytes`: the approximate size.
   */
  transactLarge<T>(work: (db: AnyDb, pause: () => Promise<void>) => Promise<T>, bytes?: number): Promise<T>;
  /** A consistent snapshot, readable for any time while others write (in memory, they wait). Rows can be streamed. */
  snapshot<T>(work: (db: AnyDb) => Promise<T>): Promise<T>;
  /** Whether it answers within a second and, if its disk was full, has free space again. */
  isReady(): Promise<boolean>;
  /** One process at a time, across all nodes. `run` executes many statements at once, on an embedded database. */
  migrateExclusively(work: (db: AnyDb, run?: (script: string) => void) => Promise<void>): Promise<void>;
  /** Removes all traces of deleted and replaced rows, if the database does not do so itself. */
  eraseDeleted?(): Promise<void>;
  close(): Promise<void>;
};

/** True for a unique or primary key violation, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === "SQLITE_CONSTRAINT_PRIMARYKEY" || code === "SQLITE_CONSTRAINT_UNIQUE" || code === "23505";
}

/**
 * Broken or refused connections (08, 57P, network errors), read-only servers (25006), servers without resources
 * (53), idle transactions that timed out (25P03) and statements that timed out (57014).
 */
const AWAY_CODE =
  /^(?:08|53|57P|57014$|25006$|25P03$|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
const AWAY_WORDS =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when)/;
/**
 * True if the database cannot be reached or used, or was lost during a query. The PostgreSQL client has codes for
 * some of it.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? AWAY_CODE.test(code) : AWAY_WORDS.test(error.message);
}

/** As JavaScript writes numbers from 1e21 on. PostgreSQL does not read that as a whole number. */
const WITH_EXPONENT = /^invalid input syntax for type (?:bigint|integer): "-?\d(?:\.\d{1,20})?e\+\d{1,3}"$/;
/** A number out of the range of its column. Only PostgreSQL reports this. */
export function isOutOfRange(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === "22003" || (code === "22P02" && WITH_EXPONENT.test(error.message));
}

const FULL_CODE = /^(?:SQLITE_FULL|SQLITE_IOERR_(?:WRITE|FSYNC|SHMSIZE)|ENOSPC|EDQUOT|53100)$/;
/** True if the disk is full: for SQLite, for PostgreSQL, or for one of our files. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && FULL_CODE.test(code);
}

const PROBE_BYTES = 64 * 1024;
const PROBE = { name: "room", value: "x".repeat(PROBE_BYTES) };

/**
 * Whether the disk has free space: false after a change failed because it was full, true again after a change
 * succeeded.
 */
export class Room {
  #isDoubted = false;
  /** Call it after every change, with the error of a failed one. */
  note(error?: unknown): void {
    if (error === undefined) this.#isDoubted = false;
    else if (isDiskFull(error)) this.#isDoubted = true;
  }
  /** Tries a write, because other callers may have stopped writing. */
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
