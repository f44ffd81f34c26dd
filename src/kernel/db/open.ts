/** Opens the configured database. The PostgreSQL client loads slowly, so it is loaded only if used. */
import type { Database } from "./database.ts";
import type { PostgresOptions } from "./postgres.ts";

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const postgres = await import("./postgres.ts");
  return postgres.openPostgres(options);
}
