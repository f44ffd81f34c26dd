/** Which database is used, for queries that differ. */
import { type Kysely, PostgresAdapter } from "kysely";
import type { Tables } from "../tables/index.ts";

export const isPostgres = (db: Kysely<Tables>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;
