/**
 * SQLite's full-text index has a piece for every transaction that wrote to it, and a search looks for each of its words in each
 * piece. FTS5 joins some while it writes; joining the rest makes a search several times as fast.
 */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;

/** Pages of the index that are written at a time: some ten milliseconds. */
const PAGES_AT_ONCE = 48;
export const hasPieces = (db: Db): boolean => !(db.getExecutor().adapter instanceof PostgresAdapter);

/** In a transaction; answers whether there was something to join. */
export async function joinSomePieces(db: Db): Promise<boolean> {
  const before = await changesOf(db);
  await sql`insert into podcasts_document_fts (podcasts_document_fts, rank) values ('merge', ${sql.lit(PAGES_AT_ONCE)})`.execute(
    db,
  );
  // The command itself counts as one.
  return (await changesOf(db)) - before > 1;
}
async function changesOf(db: Db): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(db);
  return Number(rows[0]?.changes ?? 0);
}
