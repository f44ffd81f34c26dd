/** Finds contributions by any filters together, the newest first. */
import { type Kysely, sql } from "kysely";
import type { Sight } from "../domain/access.ts";
import type { Filter } from "../domain/filter.ts";
import type { ContributionRow, Tables } from "../tables/index.ts";
import { sightConditions, sourceOf } from "./search-conditions.ts";

type Db = Kysely<Tables>;
export type Wanted = { readonly filter: Filter; readonly sight: Sight };

/** Numbers that PostgreSQL hands over as text. */
const NUMBERS = ["place", "is_public", "images", "videos", "likes", "flags"] as const;
export function contributionOf(row: ContributionRow): ContributionRow {
  for (const name of NUMBERS) row[name] = Number(row[name]);
  return row;
}

export async function pageOfContributions(
  db: Db,
  account: string,
  { filter, sight }: Wanted,
  { beforePlace, limit, offset = 0 }: { beforePlace?: number | undefined; limit: number; offset?: number },
): Promise<ContributionRow[]> {
  const { from, where, order } = sourceOf(db, account, filter, sight);
  const column = sql.raw(order);
  const before = beforePlace === undefined ? sql`1 = 1` : sql`${column} < ${beforePlace}`;
  const { rows } = await sql<ContributionRow>`select c.* from ${from} where ${where} and ${before}
    order by ${column} desc limit ${limit} offset ${offset}`.execute(db);
  return rows.map(contributionOf);
}

/** By their places, the newest first; those that the caller may not see any more are left out. */
export async function contributionsAt(
  db: Db,
  account: string,
  sight: Sight,
  places: readonly number[],
): Promise<ContributionRow[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<ContributionRow>`select c.* from contributions_contribution c
    where c.place in (${sql.join(places)}) and c.account = ${account}
      and ${sql.join(sightConditions(sight), sql` and `)} order by c.place desc`.execute(db);
  return rows.map(contributionOf);
}

export async function countContributions(
  db: Db,
  account: string,
  { filter, sight }: Wanted,
): Promise<number> {
  const { from, where } = sourceOf(db, account, filter, sight);
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${from} where ${where}`.execute(
    db,
  );
  return Number(rows[0]?.count ?? 0);
}

/** The same where they are `max` at the most; undefined where they are more, because counting them all takes long. */
export async function findCountUpTo(
  db: Db,
  account: string,
  { filter, sight }: Wanted,
  max: number,
): Promise<number | undefined> {
  const { from, where } = sourceOf(db, account, filter, sight);
  const { rows } = await sql<{ count: number }>`select count(*) as count
    from (select 1 as one from ${from} where ${where} limit ${max + 1}) as found`.execute(db);
  const count = Number(rows[0]?.count ?? 0);
  return count > max ? undefined : count;
}
