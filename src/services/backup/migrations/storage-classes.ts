/** Columns for searching items, and for reading points that are being deleted or moved. */
import { type Kysely, sql } from "kysely";
import { createIndex } from "#kernel/db";

const COLUMNS: readonly (readonly [table: string, column: string, type: "text" | "integer"])[] = [
  ["backup_point", "index_message", "text"],
  ["backup_point", "index_items", "integer"],
  ["backup_point", "index_asked_at", "integer"],
  ["backup_point", "index_made_at", "integer"],
  ["backup_point", "index_deleted_at", "integer"],
  ["backup_copy_job", "source_holder", "text"],
  ["backup_restore_job", "source_holder", "text"],
];

export async function addStorageClasses(db: Kysely<unknown>): Promise<void> {
  for (const [table, column, type] of COLUMNS)
    await db.schema.alterTable(table).addColumn(column, type).execute();
  await db.schema
    .alterTable("backup_job")
    .addColumn("indexed", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  for (const table of ["backup_copy_job", "backup_restore_job"])
    await createIndex(db, table, "source_holder", ["source_holder"]);
  // These points were marked as cold, but their content was never moved.
  await sql`update backup_point set storage_class = 'WARM' where storage_class = 'COLD'`.execute(db);
}
