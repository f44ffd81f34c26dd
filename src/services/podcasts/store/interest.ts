/** Searches and requests as decaying counts. */
import type { Kysely } from "kysely";
import { heated } from "../domain/search/heat.ts";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const DAY_MS = 86_400_000;
const SEARCH_HALF_LIFE_MS = 2 * DAY_MS;
export const INTEREST_HALF_LIFE_MS = 30 * DAY_MS;
const TERMS_PER_KEY_AND_DAY_MAX = 200;
const TERMS_KEPT_MAX = 20_000;
const KEYS_KEPT_DAYS = 2;

export type NotedSearch = {
  readonly keyName: string;
  readonly term: string;
  readonly shown: string;
  /** The key's previous search. */
  readonly before: string | undefined;
  readonly atMs: number;
};

/** A key counts once a day per term, up to a limit of terms a day. One key alone cannot make a trend. */
export async function addSearch(db: Db, account: string, noted: NotedSearch): Promise<void> {
  const { keyName, term, shown, before, atMs } = noted;
  const day = Math.floor(atMs / DAY_MS);
  const today = await db
    .selectFrom("podcasts_term_key")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("day", "=", day)
    .where("key_name", "=", keyName)
    .executeTakeFirst();
  if (Number(today?.count ?? 0) >= TERMS_PER_KEY_AND_DAY_MAX) return;
  const added = await db
    .insertInto("podcasts_term_key")
    .values({ account, day, key_name: keyName, term })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (Number(added.numInsertedOrUpdatedRows ?? 0) === 0) return;
  await heatTerm(db, account, { term, shown, atMs });
  if (before === undefined || before === term) return;
  await heatPair(db, account, { term: before, other: term, atMs });
  await heatPair(db, account, { term, other: before, atMs });
}

async function heatTerm(
  db: Db,
  account: string,
  { term, shown, atMs }: { term: string; shown: string; atMs: number },
): Promise<void> {
  const known = await db
    .selectFrom("podcasts_term")
    .select("heat")
    .where("account", "=", account)
    .where("term", "=", term)
    .executeTakeFirst();
  const heat = heated(known && Number(known.heat), 1, atMs, SEARCH_HALF_LIFE_MS);
  await db
    .insertInto("podcasts_term")
    .values({ account, term, shown, heat })
    .onConflict((conflict) => conflict.columns(["account", "term"]).doUpdateSet({ heat }))
    .execute();
}
async function heatPair(
  db: Db,
  account: string,
  { term, other, atMs }: { term: string; other: string; atMs: number },
): Promise<void> {
  const known = await db
    .selectFrom("podcasts_term_pair")
    .select("heat")
    .where("account", "=", account)
    .where("term", "=", term)
    .where("other", "=", other)
    .executeTakeFirst();
  const heat = heated(known && Number(known.heat), 1, atMs, SEARCH_HALF_LIFE_MS);
  await db
    .insertInto("podcasts_term_pair")
    .values({ account, term, other, heat })
    .onConflict((conflict) => conflict.columns(["account", "term", "other"]).doUpdateSet({ heat }))
    .execute();
}

export async function addInterest(
  db: Db,
  account: string,
  { podcastId, region, points, atMs }: { podcastId: string; region: string; points: number; atMs: number },
): Promise<void> {
  const known = await db
    .selectFrom("podcasts_interest")
    .select("heat")
    .where("account", "=", account)
    .where("podcast_id", "=", podcastId)
    .where("region", "=", region)
    .executeTakeFirst();
  const heat = heated(known && Number(known.heat), points, atMs, INTEREST_HALF_LIFE_MS);
  await db
    .insertInto("podcasts_interest")
    .values({ account, podcast_id: podcastId, region, heat })
    .onConflict((conflict) => conflict.columns(["account", "podcast_id", "region"]).doUpdateSet({ heat }))
    .execute();
}

/** Most popular first. */
export async function listTerms(
  db: Db,
  account: string,
  limit: number,
): Promise<{ readonly term: string; readonly shown: string }[]> {
  return db
    .selectFrom("podcasts_term")
    .select(["term", "shown"])
    .where("account", "=", account)
    .orderBy("heat", "desc")
    .orderBy("term")
    .limit(limit)
    .execute();
}

/** Searches before or after this one, most popular first. */
export async function listRelatedTerms(
  db: Db,
  account: string,
  term: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("podcasts_term_pair as pair")
    .innerJoin("podcasts_term as term", (join) =>
      join.onRef("term.account", "=", "pair.account").onRef("term.term", "=", "pair.other"),
    )
    .select("term.shown")
    .where("pair.account", "=", account)
    .where("pair.term", "=", term)
    .orderBy("pair.heat", "desc")
    .orderBy("pair.other")
    .limit(limit)
    .execute();
  return rows.map(({ shown }) => shown);
}

/** Requests for a podcast by region. */
export async function listInterest(
  db: Db,
  account: string,
  podcastId: string,
): Promise<{ readonly region: string; readonly heat: number }[]> {
  const rows = await db
    .selectFrom("podcasts_interest")
    .select(["region", "heat"])
    .where("account", "=", account)
    .where("podcast_id", "=", podcastId)
    .orderBy("heat", "desc")
    .orderBy("region")
    .execute();
  return rows.map(({ region, heat }) => ({ region, heat: Number(heat) }));
}

/** Deletes old records of searches by key, and the least popular terms above the limit. */
export async function forgetOldSearches(db: Db, nowMs: number): Promise<void> {
  await db
    .deleteFrom("podcasts_term_key")
    .where("day", "<", Math.floor(nowMs / DAY_MS) - KEYS_KEPT_DAYS)
    .execute();
  const full = await db
    .selectFrom("podcasts_term")
    .select("account")
    .groupBy("account")
    .having(({ fn }) => fn.countAll(), ">", TERMS_KEPT_MAX)
    .execute();
  for (const { account } of full) await forgetColdest(db, account);
}
async function forgetColdest(db: Db, account: string): Promise<void> {
  const last = await db
    .selectFrom("podcasts_term")
    .select("heat")
    .where("account", "=", account)
    .orderBy("heat", "desc")
    .offset(TERMS_KEPT_MAX)
    .limit(1)
    .executeTakeFirst();
  if (!last) return;
  for (const table of ["podcasts_term", "podcasts_term_pair"] as const)
    await db.deleteFrom(table).where("account", "=", account).where("heat", "<=", last.heat).execute();
}
