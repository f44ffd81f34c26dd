/** Counts of contributions by their features, under the same filters as the list. PostgreSQL counts all of them from one look at what fits. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { type Option, REFINED_GEOHASH_LENGTH, type Refinement } from "../domain/refinements.ts";
import type { Tables } from "../tables/index.ts";
import { scanRefinements } from "./refinement-scan.ts";
import type { Wanted } from "./search.ts";
import { isPostgres, sourceOf } from "./search-conditions.ts";

type Db = Kysely<Tables>;

/** Of milliseconds since 1970 times 4096. */
const day = sql`to_char(to_timestamp(c.place / 4096000) at time zone 'UTC', 'YYYY-MM-DD')`;

/** What is looked up once of each that fits, by the refinement that needs it. */
const columns: Readonly<Record<Refinement, RawBuilder<unknown>>> = {
  assignment: sql`c.assignment_id as assignment`,
  country: sql`c.country as country`,
  createdDay: sql`${day} as day`,
  createdMonth: sql`substr(${day}, 1, 7) as month`,
  geohash: sql`substr(c.geohash, 1, ${sql.lit(REFINED_GEOHASH_LENGTH)}) as cell`,
  hasLocation: sql`case when c.geohash is null then 'false' else 'true' end as located`,
  mediaType: sql`c.images as images, c.videos as videos`,
  ownedBy: sql`c.owner_id as owner`,
  tag: sql`c.id as id`,
  user: sql`c.user_id as person`,
};
const COUNTED: Readonly<Record<Exclude<Refinement, "mediaType" | "tag">, string>> = {
  assignment: "assignment",
  country: "country",
  createdDay: "day",
  createdMonth: "month",
  geohash: "cell",
  hasLocation: "located",
  ownedBy: "owner",
  user: "person",
};

function countsOf(account: string, refinement: Refinement): RawBuilder<unknown> {
  if (refinement === "mediaType")
    return sql`select kind as value, count(*) as count from
      (select 'image' as kind from found where images > 0 union all select 'video' as kind from found where videos > 0) as shown
      group by kind`;
  if (refinement === "tag")
    return sql`select t.tag_id as value, count(*) as count from found join contributions_tagged t
      on t.account = ${account} and t.kind = 'contribution' and t.record_id = found.id group by t.tag_id`;
  const column = sql.ref(COUNTED[refinement]);
  return sql`select ${column} as value, count(*) as count from found where ${column} is not null group by ${column}`;
}

/** By the refinement: the most frequent first, and of equal ones in the order of their values. */
export async function countRefinements(
  db: Db,
  account: string,
  { filter, sight }: Wanted,
  refinements: readonly Refinement[],
  limit: number,
): Promise<Map<Refinement, Option[]>> {
  if (!isPostgres(db)) return scanRefinements(db, account, { filter, sight }, refinements, limit);
  const counts = new Map<Refinement, Option[]>(refinements.map((name) => [name, []]));
  if (refinements.length === 0) return counts;
  const { from, where } = sourceOf(db, account, filter, sight);
  const parts = refinements.map(
    (name) =>
      sql`select * from (select ${sql.lit(name)} as name, value, count from (${countsOf(account, name)}) as counted
        order by count desc, value limit ${limit}) as told`,
  );
  const { rows } = await sql<{ name: Refinement; value: string; count: number }>`with found as materialized
    (select ${sql.join(refinements.map((name) => columns[name]))} from ${from} where ${where})
    ${sql.join(parts, sql` union all `)}`.execute(db);
  for (const { name, value, count } of rows) counts.get(name)?.push({ value, count: Number(count) });
  return counts;
}
