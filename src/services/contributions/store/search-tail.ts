/** Contributions that are not in SQLite's full-text index yet. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { tailEndOf } from "../domain/search-tail.ts";
import type { Tables } from "../tables/index.ts";
import { isPostgres } from "./dialect.ts";

type Db = Kysely<Tables>;
/** Batch limit. An import can bring any number of rows, and no contribution should wait for all of them. */
export const MOVED_AT_ONCE = 500;

/** Whether a contribution at this place is in the tail. */
export const isInTail = (place: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${place} >= (select from_place from contributions_fts_tail)
    and ${place} < (select end_place from contributions_fts_tail))`;

/** The first place that stays in the tail. */
async function findFirstLeft(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ place: number }>`select place from contributions_contribution
    where ${isInTail(sql`place`)} order by place limit 1 offset ${MOVED_AT_ONCE}`.execute(db);
  return rows[0]?.place;
}

/**
 * Indexes the tail, oldest first. New contributions come after everything in it. Returns whether rows are left
 * because the batch was full. PostgreSQL has no tail.
 */
export async function moveSearchTail(db: Db, nowMs: number): Promise<boolean> {
  if (isPostgres(db)) return false;
  const firstLeft = await findFirstLeft(db);
  const isMoved = firstLeft === undefined ? sql`1 = 1` : sql`place < ${firstLeft}`;
  await sql`insert into contributions_fts (rowid, words, facets)
    select place, words, facets from contributions_fts_source where ${isInTail(sql`place`)} and ${isMoved} order by place`.execute(
    db,
  );
  if (firstLeft !== undefined) {
    await sql`update contributions_fts_tail set from_place = ${firstLeft}`.execute(db);
    return true;
  }
  await sql`delete from contributions_fts_tail`.execute(db);
  await sql`insert into contributions_fts_tail (from_place, end_place)
    select coalesce(max(place), 0) + 1, ${tailEndOf(nowMs)} from contributions_contribution`.execute(db);
  return false;
}
