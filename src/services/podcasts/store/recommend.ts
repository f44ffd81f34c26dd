/** Queries for recommendations: common terms and common lists. */
import type { Kysely } from "kysely";
import type { Term } from "../domain/recommend.ts";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export async function listTermsOf(db: Db, account: string, podcastId: string): Promise<Term[]> {
  const rows = await db
    .selectFrom("podcasts_vector")
    .select(["term", "weight"])
    .where("account", "=", account)
    .where("podcast_id", "=", podcastId)
    .orderBy("term")
    .execute();
  return rows.map(({ term, weight }) => ({ term, weight: Number(weight) }));
}

/** Number of podcasts with each term. */
export async function countPodcastsWith(
  db: Db,
  account: string,
  terms: readonly string[],
): Promise<Map<string, number>> {
  if (terms.length === 0) return new Map();
  const rows = await db
    .selectFrom("podcasts_vector")
    .select(({ fn }) => ["term", fn.countAll().as("count")])
    .where("account", "=", account)
    .where("term", "in", terms)
    .groupBy("term")
    .execute();
  return new Map(rows.map(({ term, count }) => [term, Number(count)]));
}

export async function listPodcastsWith(
  db: Db,
  account: string,
  terms: readonly string[],
  limit: number,
): Promise<{ readonly podcastId: string; readonly term: string; readonly weight: number }[]> {
  if (terms.length === 0) return [];
  const rows = await db
    .selectFrom("podcasts_vector")
    .select(["podcast_id", "term", "weight"])
    .where("account", "=", account)
    .where("term", "in", terms)
    .orderBy("term")
    .orderBy("podcast_id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ podcastId: row.podcast_id, term: row.term, weight: Number(row.weight) }));
}

export async function countPodcasts(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("podcasts_podcast")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Entries that share a playlist with one of these, with the number of lists. */
export async function listListedWith(
  db: Db,
  account: string,
  type: "podcast" | "episode",
  ids: readonly string[],
  limit: number,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("podcasts_playlist_entry as one")
    .innerJoin("podcasts_playlist_entry as other", (join) =>
      join.onRef("other.account", "=", "one.account").onRef("other.playlist_id", "=", "one.playlist_id"),
    )
    .select(({ fn }) => ["other.target_id as id", fn.countAll().as("count")])
    .where("one.account", "=", account)
    .where("one.target_id", "in", ids)
    .where("other.type", "=", type)
    .where("other.target_id", "not in", ids)
    .groupBy("other.target_id")
    .orderBy("count", "desc")
    .orderBy("other.target_id")
    .limit(limit)
    .execute();
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}

/** Best podcasts of a language, the fallback for a podcast without similar ones. */
export async function listBestOfLanguage(
  db: Db,
  account: string,
  language: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("podcasts_podcast")
    .select("id")
    .where("account", "=", account)
    .where("language", "=", language)
    .orderBy("listen_score", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
