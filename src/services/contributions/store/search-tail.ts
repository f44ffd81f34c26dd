/** Contributions that are not in SQLite's full-text index yet. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { tailEndOf } from "../domain/search-tail.ts";
import type { Tables } from "../tables/index.ts";
import { isPostgres } from "./dialect.ts";

type Db = Kysely<Tables>;

/** Whether a contribution at this place is one of them. */
export const isInTail = (place: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${place} >= (select from_place from contributions_fts_tail)
    and ${place} < (select end_place from contributions_fts_tail))`;

/** They go into it; what comes next is behind everything that is there. PostgreSQL has everything in its index. */
export async function moveSearchTail(db: Db, nowMs: number): Promise<void> {
  if (isPostgres(db)) return;
  await sql`insert into contributions_fts (rowid, words, facets)
    select place, words, facets from contributions_fts_source where ${isInTail(sql`place`)} order by place`.execute(
    db,
  );
  await sql`delete from contributions_fts_tail`.execute(db);
  await sql`insert into contributions_fts_tail (from_place, end_place)
    select coalesce(max(place), 0) + 1, ${tailEndOf(nowMs)} from contributions_contribution`.execute(db);
}
