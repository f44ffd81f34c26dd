/** Notifications record the dialect of their subscriber. Message categories use the published spelling. */
import { type Kysely, sql } from "kysely";

export async function addSpellings(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("backup_vault").addColumn("topic_spelling", "text").execute();
  for (const table of ["backup_job", "backup_copy_job"])
    await sql`update ${sql.table(table)} set message_category = 'SUCCESS' where message_category = 'Success'`.execute(
      db,
    );
}
