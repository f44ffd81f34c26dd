/** Finds contributions by any combination of filters, newest first. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Sight } from "../domain/access.ts";
import type { Filter } from "../domain/filter.ts";
import type { ContributionRow, Tables } from "../tables/index.ts";
import { findSources, selectFrom, sightConditions } from "./search-conditions.ts";

type Db = Kysely<Tables>;
export type Wanted = { readonly filter: Filter; readonly sight: Sight };

/** PostgreSQL returns these numbers as text. */
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
  const isBefore = (place: RawBuilder<unknown>) =>
    beforePlace === undefined ? sql`1 = 1` : sql`${place} < ${beforePlace}`;
  const found = await findSources(db, account, filter, sight);
  const sources = found.map((source) => ({
    ...source,
    where: sql`${source.where} and ${isBefore(source.order)}`,
  }));
  const part = sql`desc limit ${limit} offset ${offset}`;
  const [only, ...more] = sources;
  if (only && more.length === 0) {
    const { rows } = await sql<ContributionRow>`${selectFrom(sources, () => sql`c.*`)}
      order by ${only.order} ${part}`.execute(db);
    return rows.map(contributionOf);
  }
  // Select only places here: rows of both sources would need a sort, but each source returns places in order.
  const { rows } = await sql<{ place: number }>`${selectFrom(sources, ({ order }) => sql`${order} as place`)}
    order by place ${part}`.execute(db);
  const places = rows.map(({ place }) => place);
  return contributionsAt(db, account, sight, places);
}

/** By place, newest first. Rows that the caller may no longer see are left out. */
export async function contributionsAt(
  db: Db,
  account: string,
  sight: Sight,
  places: readonly number[],
): Promise<ContributionRow[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<ContributionRow>`select c.* from contributions_contribution c
    where c.place in (${sql.join(places)}) and c.account = ${account}
      and ${sql.join(sightConditions(account, sight), sql` and `)} order by c.place desc`.execute(db);
  return rows.map(contributionOf);
}

export async function countContributions(
  db: Db,
  account: string,
  { filter, sight }: Wanted,
): Promise<number> {
  const all = selectFrom(await findSources(db, account, filter, sight), () => sql`1 as one`);
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${all}) as found`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** Undefined if there are more than `max`, because counting all takes long. */
export async function findCountUpTo(
  db: Db,
  account: string,
  { filter, sight }: Wanted,
  max: number,
): Promise<number | undefined> {
  const all = selectFrom(await findSources(db, account, filter, sight), () => sql`1 as one`);
  const { rows } = await sql<{ count: number }>`select count(*) as count
    from (${all} limit ${max + 1}) as found`.execute(db);
  const count = Number(rows[0]?.count ?? 0);
  return count > max ? undefined : count;
}
