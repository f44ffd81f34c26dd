/** Rows on their way into a table. */
import type { AnyDb } from "../db/database.ts";

export type Row = Record<string, unknown>;
export type TableRows = { readonly table: string; readonly rows: Row[] };

const INSERT_ROWS = 100;

export async function insertRows(db: AnyDb, { table, rows }: TableRows): Promise<number> {
  for (let start = 0; start < rows.length; start += INSERT_ROWS) {
    await db
      .insertInto(table)
      .values(rows.slice(start, start + INSERT_ROWS))
      .execute();
  }
  return rows.length;
}
