/** Rows on their way into a table. */
import { type AnyDb, isUniqueViolation } from "../db/database.ts";
import { kernelErrors } from "../operation/errors.ts";

export type Value = string | number | null | Buffer;
export type Row = Record<string, Value>;
export type TableRows = { readonly table: string; readonly rows: readonly Row[] };

const INSERT_ROWS = 100;
const INSERT_BYTES = 8 * 1024 * 1024;

export async function insertRows(db: AnyDb, { table, rows }: TableRows): Promise<number> {
  for (const batch of batchesOf(rows)) {
    try {
      await db.insertInto(table).values(batch).execute();
    } catch (error) {
      throw refusalOf(table, error);
    }
  }
  return rows.length;
}

/** Few enough for one statement's parameters, small enough for one message to the database. */
function* batchesOf(rows: readonly Row[]): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    for (const value of Object.values(row)) bytes += Buffer.isBuffer(value) ? value.length : 0;
    if (batch.length < INSERT_ROWS && bytes < INSERT_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** What the database says of rows that do not fit is the caller's mistake; anything else is passed on. */
function refusalOf(table: string, error: unknown): unknown {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (isUniqueViolation(error))
    return kernelErrors.conflict(`A row of ${table} is there already, in what the export does not replace.`);
  const misfits = /^(SQLITE_(CONSTRAINT|MISMATCH|ERROR|RANGE|TOOBIG)|2[23]...$|42...$)/.test(code);
  return misfits ? kernelErrors.invalidInput(`Rows of the export do not fit ${table}: ${message}.`) : error;
}
