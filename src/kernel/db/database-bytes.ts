/** The size of the database. */
import { sql } from "kysely";
import type { AnyDb, Database } from "./database.ts";

export async function databaseBytes(db: AnyDb, kind: Database["kind"]): Promise<number> {
  const query =
    kind === "sqlite"
      ? sql<{
          bytes: number;
        }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  return Number((await query.execute(db)).rows[0]?.bytes ?? 0);
}
