/** Adds webhooks to vaults. */
import type { Kysely } from "kysely";

export async function addEndpoints(db: Kysely<unknown>): Promise<void> {
  for (const column of ["endpoint_url", "endpoint_secret", "endpoint_events"])
    await db.schema.alterTable("backup_vault").addColumn(column, "text").execute();
}
