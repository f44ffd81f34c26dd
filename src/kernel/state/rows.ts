/** Moves rows into and out of tables in batches. Between two batches other requests are served. */
import { sql } from "kysely";
import { type AnyDb, type Database, isUniqueViolation } from "../db/database.ts";
import { kernelErrors } from "../operation/errors.ts";

export type Value = string | number | null | Buffer;
export type Row = Record<string, Value>;

/** Few enough for the parameters of one statement, small enough for one event-loop turn. */
export const BATCH_ROWS = 100;
const BATCH_BYTES = 1024 * 1024;
const DELETED_ROWS = 500;
/** Rows with bytes are a thousand times larger than others. */
const LARGE_ROWS_TABLE = "medley_blob_chunk";
const LARGE_ROWS = 4;

type Pause = () => Promise<void>;
const nextTurn: Pause = () => new Promise((resolve) => setImmediate(resolve));
const isLarge = (table: string): boolean => table === LARGE_ROWS_TABLE;

export function bytesOf(row: Row): number {
  let bytes = 0;
  for (const name in row) {
    const value = row[name];
    bytes += typeof value === "string" || Buffer.isBuffer(value) ? value.length : 8;
  }
  return bytes;
}

/** Measures the work of a turn, and yields when it was enough. */
export class Pace {
  #rows = 0;
  #bytes = 0;
  async step(row: Row): Promise<void> {
    this.#rows += 1;
    this.#bytes += bytesOf(row);
    if (this.#rows < BATCH_ROWS && this.#bytes < BATCH_BYTES) return;
    this.#rows = 0;
    this.#bytes = 0;
    await nextTurn();
  }
}

type Streamable = { stream(rows: number): AsyncIterable<Row> };
/** Inside a snapshot or a transaction: consistent rows, however long reading takes. */
export async function* pacedRows(
  query: Streamable,
  table: string,
  hasLargeRows = isLarge(table),
): AsyncGenerator<Row> {
  const pace = new Pace();
  for await (const row of query.stream(hasLargeRows ? LARGE_ROWS : BATCH_ROWS)) {
    yield row;
    await pace.step(row);
  }
}

const MANY_ROWS = 1000;
/** Collects rows of one table until they fill a batch. */
export class RowInserter {
  readonly #db: AnyDb;
  readonly #pause: Pause;
  #table = "";
  #batch: Row[] = [];
  #bytes = 0;
  #count = 0;
  readonly #counts = new Map<string, number>();

  /** Awaits `pause` after each batch. */
  constructor(db: AnyDb, pause: Pause = nextTurn) {
    this.#db = db;
    this.#pause = pause;
  }
  async add(table: string, row: Row): Promise<void> {
    if (table !== this.#table) await this.flush();
    this.#table = table;
    this.#batch.push(row);
    this.#bytes += bytesOf(row);
    if (this.#batch.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.flush();
  }
  async flush(): Promise<void> {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#bytes = 0;
    this.#count += batch.length;
    this.#counts.set(this.#table, (this.#counts.get(this.#table) ?? 0) + batch.length);
    try {
      await this.#db.insertInto(this.#table).values(batch).execute();
    } catch (error) {
      throw new RefusedRow(this.#table, error);
    }
    await this.#pause();
  }
  /** Inserts the last batch. Returns the number of rows. */
  async finish(): Promise<number> {
    await this.flush();
    return this.#count;
  }
  /** Tables with so many new rows that the query planner needs new statistics. */
  get filledTables(): string[] {
    return [...this.#counts].filter(([, count]) => count >= MANY_ROWS).map(([table]) => table);
  }
}

export type Narrow = <Q extends { where(column: string, operator: "=" | "!=", value: string): Q }>(
  query: Q,
) => Q;
/** One statement for all of them would block others, or exceed the statement timeout. */
export async function deleteRows(
  db: AnyDb,
  kind: Database["kind"],
  table: string,
  narrow: Narrow,
  pause: Pause,
): Promise<void> {
  const place = sql.ref(kind === "sqlite" ? "rowid" : "ctid");
  const rows = isLarge(table) ? LARGE_ROWS : DELETED_ROWS;
  for (;;) {
    const some = narrow(db.selectFrom(table).select(place.as("place"))).limit(rows);
    const few =
      kind === "sqlite" ? sql<boolean>`${place} in (${some})` : sql<boolean>`${place} = any(array(${some}))`;
    const { numDeletedRows } = await db.deleteFrom(table).where(few).executeTakeFirstOrThrow();
    if (numDeletedRows < BigInt(rows)) return;
    await pause();
  }
}

/** Keeps the error code of the database, so that a transaction with a conflict is retried. */
class RefusedRow extends Error {
  readonly table: string;
  readonly code: string | undefined;
  constructor(table: string, cause: unknown) {
    super((cause as Error).message, { cause });
    this.table = table;
    this.code = (cause as { code?: string }).code;
  }
}

/**
 * A row that the database refuses is an error of the caller. Other errors pass unchanged. Takes the error of a
 * transaction.
 */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof RefusedRow)) return error;
  const { table, code = "", message, cause } = error;
  if (isUniqueViolation(cause))
    return kernelErrors.conflict(`A row of ${table} is there already, in what the export does not replace.`);
  const misfits = /^(SQLITE_(CONSTRAINT|MISMATCH|ERROR|RANGE|TOOBIG)|2[23]...$|42...$)/.test(code);
  return misfits ? kernelErrors.invalidInput(`Rows of the export do not fit ${table}: ${message}.`) : cause;
}
