/** The service's own view of the database. */
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

export type Db = Kysely<Tables>;
