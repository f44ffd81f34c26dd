/** Which of the two databases is spoken to, for what each does its own way. */
import { type Kysely, PostgresAdapter } from "kysely";
import type { Tables } from "../tables/index.ts";

export const isPostgres = (db: Kysely<Tables>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;
