/**
 * SQLite's full-text index has a piece for every transaction that wrote to it, and a search looks for each of its words in each
 * piece. FTS5 joins some while it writes; joining the rest makes a search several times as fast.
 */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;

/** Pages of the index that are written at a time: some ten milliseconds. */
const PAGES_AT_ONCE = 48;
/** Where FTS5 keeps the list of its pieces. */
const LIST_OF_PIECES = 10;

/** Another text whenever the index was written to; none where the database has no pieces. */
export async function findPieces(db: Db): Promise<string | undefined> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return undefined;
  const { rows } = await sql<{
    list: string;
  }>`select hex(block) as list from podcasts_document_fts_data where id = ${LIST_OF_PIECES}`.execute(db);
  return rows[0]?.list;
}

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
