/** Short declarations of tables for migrations: a column is its type, and a question mark makes it nullable. */
import type { CreateTableBuilder, Kysely } from "kysely";

type Column = "text" | "integer" | "blob" | "real";
export type Columns = Readonly<Record<string, Column | `${Column}?`>>;

export async function createTable(
  db: Kysely<unknown>,
  name: string,
  columns: Columns,
  primaryKey: readonly string[],
): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name);
  for (const [column, type] of Object.entries(columns)) {
    const nullable = type.endsWith("?");
    table = table.addColumn(column, type.replace("?", "") as Column, (c) => (nullable ? c : c.notNull()));
  }
  await table.addPrimaryKeyConstraint(`${name}_pk`, primaryKey as string[]).execute();
}

/** Named after its table. */
export async function createIndex(
  db: Kysely<unknown>,
  table: string,
  name: string,
  columns: readonly string[],
  { unique = false } = {},
): Promise<void> {
  const index = db.schema
    .createIndex(`${table}_${name}`)
    .on(table)
    .columns(columns as string[]);
  await (unique ? index.unique() : index).execute();
}

/** For a table whose `bytes` may be in an object store. The index is empty without one. */
export async function addObjectColumn(db: Kysely<unknown>, table: string): Promise<void> {
  await db.schema.alterTable(table).addColumn("object", "text").execute();
  await db.schema
    .createIndex(`${table}_object`)
    .on(table)
    .column("object")
    .where("object" as never, "is not", null)
    .execute();
}
