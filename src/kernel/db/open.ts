/** Opens the database that was asked for. PostgreSQL's client takes a while to load, so only who uses it loads it. */
import type { Database } from "./database.ts";
import type { PostgresOptions } from "./postgres.ts";

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const postgres = await import("./postgres.ts");
  return postgres.openPostgres(options);
}
