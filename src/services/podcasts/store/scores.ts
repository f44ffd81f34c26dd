/** Queries for the signals of listen scores, and for the scores. */
import { type Kysely, sql } from "kysely";
import { pointsLeft } from "../domain/search/heat.ts";
import type { Tables } from "../tables.ts";
import { INTEREST_HALF_LIFE_MS } from "./interest.ts";

type Db = Kysely<Tables>;

export async function accountsWithPodcasts(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("podcasts_podcast").select("account").distinct().execute();
  return rows.map(({ account }) => account);
}

const SCORED = [
  "id",
  "image",
  "publisher",
  "website",
  "email",
  "genre_ids",
  "total_episodes",
  "latest_pub_date_ms",
  "listen_score",
  "listen_score_global_rank",
] as const;
export type ScoredPodcast = Awaited<ReturnType<typeof listScored>>[number];
export async function listScored(db: Db, account: string, after: string, limit: number) {
  return db
    .selectFrom("podcasts_podcast")
    .select(SCORED)
    .select(sql<number>`length(description)`.as("description_letters"))
    .where("account", "=", account)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Decayed requests of all regions by podcast. */
export async function requestsByPodcast(
  db: Db,
  account: string,
  nowMs: number,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("podcasts_interest")
    .select(["podcast_id", "heat"])
    .where("account", "=", account)
    .execute();
  const sums = new Map<string, number>();
  for (const { podcast_id: id, heat } of rows)
    sums.set(id, (sums.get(id) ?? 0) + pointsLeft(Number(heat), nowMs, INTEREST_HALF_LIFE_MS));
  return sums;
}

/** Entries of playlists and curated lists by podcast. An episode counts for its podcast. */
export async function listsByPodcast(db: Db, account: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`select id, count(*) as count from (
      select target_id as id, playlist_id as list from podcasts_playlist_entry
        where account = ${account} and type = 'podcast'
      union select e.podcast_id, entry.playlist_id from podcasts_playlist_entry entry
        join podcasts_episode e on e.account = entry.account and e.id = entry.target_id
        where entry.account = ${account} and entry.type = 'episode'
      union select podcast_id, list_id from podcasts_curated_entry where account = ${account}
    ) as listed group by id`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}

export async function setScore(
  db: Db,
  account: string,
  id: string,
  { score, rank }: { score: number; rank: string },
): Promise<void> {
  await db
    .updateTable("podcasts_podcast")
    .set({ listen_score: score, listen_score_global_rank: rank })
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();
}
