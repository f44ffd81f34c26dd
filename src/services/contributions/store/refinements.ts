/** Counts of contributions by one of their features, under the same filters as the list. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { type Option, REFINED_GEOHASH_LENGTH, type Refinement } from "../domain/refinements.ts";
import type { Tables } from "../tables/index.ts";
import type { Wanted } from "./search.ts";
import { isPostgres, type Source, sourceOf } from "./search-conditions.ts";

type Db = Kysely<Tables>;

/** Seconds since 1970 of a place. */
const seconds = sql`c.place / 4096000`;
const dateText = (db: Db, length: number): RawBuilder<unknown> =>
  isPostgres(db)
    ? sql`substr(to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD'), 1, ${sql.lit(length)})`
    : sql`substr(date(${seconds}, 'unixepoch'), 1, ${sql.lit(length)})`;

const featureOf = (db: Db, refinement: Refinement): RawBuilder<unknown> | undefined => {
  switch (refinement) {
    case "assignment":
      return sql`c.assignment_id`;
    case "country":
      return sql`c.country`;
    case "createdDay":
      return dateText(db, 10);
    case "createdMonth":
      return dateText(db, 7);
    case "geohash":
      return sql`substr(c.geohash, 1, ${sql.lit(REFINED_GEOHASH_LENGTH)})`;
    case "hasLocation":
      return sql`case when c.geohash is null then 'false' else 'true' end`;
    case "ownedBy":
      return sql`c.owner_id`;
    case "user":
      return sql`c.user_id`;
    default:
      return undefined;
  }
};

const optionsOf = (rows: readonly { value: string; count: number }[]): Option[] =>
  rows.map(({ value, count }) => ({ value, count: Number(count) }));

async function countMedia(db: Db, { from, where }: Source): Promise<Option[]> {
  const { rows } = await sql<{ images: number; videos: number }>`select
    coalesce(sum(case when c.images > 0 then 1 else 0 end), 0) as images,
    coalesce(sum(case when c.videos > 0 then 1 else 0 end), 0) as videos from ${from} where ${where}`.execute(
    db,
  );
  const { images = 0, videos = 0 } = rows[0] ?? {};
  return optionsOf([
    { value: "image", count: images },
    { value: "video", count: videos },
  ])
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

/** The most frequent first, and of equal ones in the order of their values. */
export async function countRefinement(
  db: Db,
  account: string,
  { filter, sight }: Wanted,
  refinement: Refinement,
  limit: number,
): Promise<Option[]> {
  const source = sourceOf(db, account, filter, sight);
  const { from, where } = source;
  if (refinement === "mediaType") return (await countMedia(db, source)).slice(0, limit);
  if (refinement === "tag") {
    const { rows } = await sql<{ value: string; count: number }>`select t.tag_id as value, count(*) as count
      from ${from} join contributions_tagged t on t.account = ${account} and t.kind = 'contribution' and t.record_id = c.id
      where ${where} group by t.tag_id order by count desc, value limit ${limit}`.execute(db);
    return optionsOf(rows);
  }
  const feature = featureOf(db, refinement) ?? sql`null`;
  const { rows } = await sql<{ value: string; count: number }>`select ${feature} as value, count(*) as count
    from ${from} where ${where} and ${feature} is not null group by 1 order by count desc, value limit ${limit}`.execute(
    db,
  );
  return optionsOf(rows);
}
