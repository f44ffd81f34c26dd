/** For migrations: changes a text column in every row of a table, in batches. */
import type { AnyDb } from "./database.ts";

const ROWS_AT_ONCE = 500;

export type ColumnToRewrite = {
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: readonly [string, ...string[]];
  readonly column: string;
  /** Only rows with these values. */
  readonly where?: Readonly<Record<string, string>>;
};
type Row = Readonly<Record<string, unknown>>;

function rowsAfter(
  db: AnyDb,
  { table, key, column, where = {} }: ColumnToRewrite,
  done: number,
): Promise<Row[]> {
  let query = db.selectFrom(table).select([...key, column]);
  for (const [name, value] of Object.entries(where)) query = query.where(name, "=", value);
  for (const name of key) query = query.orderBy(name);
  return query.limit(ROWS_AT_ONCE).offset(done).execute();
}
async function replace(db: AnyDb, { table, key, column }: ColumnToRewrite, row: Row, text: string) {
  let query = db.updateTable(table).set({ [column]: text });
  for (const name of key) query = query.where(name, "=", row[name]);
  await query.execute();
}

/** Null stays null. */
export async function rewriteColumn(
  db: AnyDb,
  where: ColumnToRewrite,
  change: (text: string) => string | Promise<string>,
): Promise<void> {
  for (let done = 0; ; done += ROWS_AT_ONCE) {
    const rows = await rowsAfter(db, where, done);
    for (const row of rows) {
      const before = row[where.column];
      const after = typeof before === "string" ? await change(before) : before;
      if (typeof after === "string" && after !== before) await replace(db, where, row, after);
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}
