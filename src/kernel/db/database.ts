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
   */
  transact<T>(work: (db: AnyDb) => Promise<T>): Promise<T>;
  /** Whether it answers within a second. */
  isReady(): Promise<boolean>;
  /** One process at a time, also across nodes. */
  migrateExclusively(work: (db: AnyDb) => Promise<void>): Promise<void>;
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
