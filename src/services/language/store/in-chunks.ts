/** Many rows by statements of a size that every database takes. */
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

const ROWS_MAX = 250;

export const inChunks =
  <Row>(insert: (db: Kysely<Tables>, rows: readonly Row[]) => Promise<void>) =>
  async (db: Kysely<Tables>, rows: readonly Row[]): Promise<void> => {
    for (let start = 0; start < rows.length; start += ROWS_MAX)
      await insert(db, rows.slice(start, start + ROWS_MAX));
  };
