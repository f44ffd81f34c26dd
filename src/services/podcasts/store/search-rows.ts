/** Queries for the rows of search results. */
import type { Kysely } from "kysely";
import type { CuratedRow, EpisodeRow, PodcastRow, Tables } from "../tables.ts";
import { episodesById } from "./episodes.ts";
import { podcastsById } from "./podcasts.ts";

type Db = Kysely<Tables>;
const byId = <Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

/** Episodes with their podcasts in the order of the ids. Deleted ones are left out. */
export async function findEpisodesWithPodcasts(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<{ readonly episode: EpisodeRow; readonly podcast: PodcastRow }[]> {
  const episodes = await episodesById(db, account, ids);
  const podcasts = await podcastsById(
    db,
    account,
    [...episodes.values()].map((episode) => episode.podcast_id),
  );
  return ids.flatMap((id) => {
    const episode = episodes.get(id);
    const podcast = episode && podcasts.get(episode.podcast_id);
    return episode && podcast ? [{ episode, podcast }] : [];
  });
}
export async function transcriptTexts(
  db: Db,
  account: string,
  episodeIds: readonly string[],
): Promise<Map<string, string>> {
  if (episodeIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("podcasts_transcript")
    .select(["episode_id", "text"])
    .where("account", "=", account)
    .where("episode_id", "in", episodeIds)
    .execute();
  return new Map(rows.map((row) => [row.episode_id, row.text]));
}
export async function curatedById(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<Map<string, CuratedRow>> {
  if (ids.length === 0) return new Map();
  return byId(
    await db
      .selectFrom("podcasts_curated")
      .selectAll()
      .where("account", "=", account)
      .where("id", "in", ids)
      .execute(),
  );
}
/** Podcasts of each list in list order, by list id. */
export async function podcastsOfLists(
  db: Db,
  account: string,
  listIds: readonly string[],
): Promise<Map<string, PodcastRow[]>> {
  if (listIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("podcasts_curated_entry as entry")
    .innerJoin("podcasts_podcast as podcast", (join) =>
      join.onRef("podcast.account", "=", "entry.account").onRef("podcast.id", "=", "entry.podcast_id"),
    )
    .selectAll("podcast")
    .select("entry.list_id")
    .where("entry.account", "=", account)
    .where("entry.list_id", "in", listIds)
    .orderBy("entry.position")
    .execute();
  const lists = new Map<string, PodcastRow[]>();
  for (const { list_id: id, ...podcast } of rows) lists.set(id, [...(lists.get(id) ?? []), podcast]);
  return lists;
}
