/**
 * SQLite's full-text index has a segment for every transaction that wrote to it. A search reads every
 * segment for each word. FTS5 merges some segments while it writes. Merging the rest makes searches several
 * times as fast.
 */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;

/** Index pages to write per merge step, about ten milliseconds. */
const PAGES_AT_ONCE = 48;
export const hasPieces = (db: Db): boolean => !(db.getExecutor().adapter instanceof PostgresAdapter);

/** Call it in a transaction. Returns whether it merged segments. */
export async function joinSomePieces(db: Db): Promise<boolean> {
  const before = await changesOf(db);
  await sql`insert into podcasts_document_fts (podcasts_document_fts, rank) values ('merge', ${sql.lit(PAGES_AT_ONCE)})`.execute(
    db,
  );
  // The merge command itself counts as one change.
  return (await changesOf(db)) - before > 1;
}
async function changesOf(db: Db): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(db);
  return Number(rows[0]?.changes ?? 0);
}
