/** Recommendations for a podcast or an episode. They are computed on request, so they are never stale. */
import { type Neighbour, nearest, rarityOf, shareOf, type Term } from "../domain/recommend.ts";
import { plainTextOf } from "../domain/search/highlight.ts";
import { ORDER_MAX } from "../domain/search/order.ts";
import { termWeightsOf } from "../domain/search/phrases.ts";
import type { PodcastsContext } from "../state.ts";
import { podcastsById } from "../store/podcasts.ts";
import {
  countPodcasts,
  countPodcastsWith,
  listBestOfLanguage,
  listListedWith,
  listPodcastsWith,
  listTermsOf,
} from "../store/recommend.ts";
import { countDocuments, findDocuments, findPlaces } from "../store/search.ts";
import { findEpisodesWithPodcasts } from "../store/search-rows.ts";
import type { EpisodeRow, PodcastRow } from "../tables.ts";

const RECOMMENDED_MAX = 8;
/** Only the rarest terms are looked up, because most documents share the common ones. */
const TERMS_LOOKED_UP = 12;
const EPISODE_TERMS_TRIED = 16;
const EPISODE_TERMS_LOOKED_UP = 6;
const EPISODES_PER_TERM = 40;
const POSTINGS_MAX = 6_000;
const LISTED_MAX = 50;
const CANDIDATES_MAX = 120;

type Weighted = Term & { readonly rarity: number };
/** Terms with the highest weight times rarity. */
function rarest(
  terms: readonly Term[],
  counts: ReadonlyMap<string, number>,
  total: number,
  max: number,
): Weighted[] {
  return terms
    .map((one) => ({ ...one, rarity: rarityOf(counts.get(one.term) ?? 0, total) }))
    .sort(
      (one, other) =>
        other.rarity * other.weight - one.rarity * one.weight || (one.term < other.term ? -1 : 1),
    )
    .slice(0, max);
}
/** Normalizes scores to 0 to 1 and limits the number of candidates. */
function closest(sums: ReadonlyMap<string, number>): Map<string, number> {
  const best = [...sums]
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, CANDIDATES_MAX);
  const most = best[0]?.[1] ?? 1;
  return new Map(best.map(([id, sum]) => [id, sum / most]));
}
const isExplicit = (row: { readonly explicit_content: number }): boolean =>
  Number(row.explicit_content) === 1;
const genresOf = (podcast: PodcastRow): number[] => JSON.parse(podcast.genre_ids);

async function closePodcasts({ db, account }: PodcastsContext, id: string): Promise<Map<string, number>> {
  const terms = await listTermsOf(db, account, id);
  const counts = await countPodcastsWith(
    db,
    account,
    terms.map(({ term }) => term),
  );
  const best = rarest(terms, counts, await countPodcasts(db, account), TERMS_LOOKED_UP);
  const worth = new Map(best.map((one) => [one.term, one.weight * one.rarity * one.rarity]));
  const postings = await listPodcastsWith(db, account, [...worth.keys()], POSTINGS_MAX);
  const sums = new Map<string, number>();
  for (const { podcastId, term, weight } of postings)
    if (podcastId !== id) sums.set(podcastId, (sums.get(podcastId) ?? 0) + weight * (worth.get(term) ?? 0));
  return closest(sums);
}

export async function recommendPodcasts(
  context: PodcastsContext,
  podcast: PodcastRow,
  isSafe: boolean,
): Promise<PodcastRow[]> {
  const { db, account } = context;
  const close = await closePodcasts(context, podcast.id);
  const listed = await listListedWith(db, account, "podcast", [podcast.id], LISTED_MAX);
  const others = await listBestOfLanguage(db, account, podcast.language, RECOMMENDED_MAX * 2);
  const rows = await podcastsById(db, account, [...close.keys(), ...listed.keys(), ...others]);
  rows.delete(podcast.id);
  const genres = genresOf(podcast);
  const neighbours: Neighbour[] = [...rows.values()]
    .filter((row) => !isSafe || !isExplicit(row))
    .map((row) => ({
      id: row.id,
      closeness: close.get(row.id) ?? 0,
      sharesLanguage: row.language === podcast.language,
      genreShare: shareOf(genres, genresOf(row)),
      lists: listed.get(row.id) ?? 0,
      listenScore: Number(row.listen_score),
    }));
  return nearest(neighbours, RECOMMENDED_MAX).flatMap((id) => rows.get(id) ?? []);
}

/** Episodes that share the rarest terms of this episode. */
async function closeEpisodes(
  { db, account }: PodcastsContext,
  episode: EpisodeRow,
  podcast: PodcastRow,
): Promise<Map<string, number>> {
  const terms = termWeightsOf(episode.title, plainTextOf(episode.description), podcast.language).slice(
    0,
    EPISODE_TERMS_TRIED,
  );
  const queryOf = (term: string) => ({
    search: {
      kind: "e" as const,
      query: { wanted: [{ words: [[term]], isPrefix: false }], unwanted: [] },
      fields: [],
      facets: [],
      withoutFacets: [],
    },
    first: 0,
    last: ORDER_MAX,
  });
  const counts = new Map<string, number>();
  for (const { term } of terms) counts.set(term, await countDocuments(db, account, queryOf(term)));
  const most = Math.max(1, ...counts.values());
  const telling = terms.filter(({ term }) => (counts.get(term) ?? 0) > 1);
  const sums = new Map<string, number>();
  for (const { term, weight, rarity } of rarest(telling, counts, most * 2, EPISODE_TERMS_LOOKED_UP)) {
    const places = await findPlaces(db, account, queryOf(term), { limit: EPISODES_PER_TERM });
    for (const { id } of await findDocuments(db, places))
      if (id !== episode.id) sums.set(id, (sums.get(id) ?? 0) + weight * rarity);
  }
  return closest(sums);
}

export async function recommendEpisodes(
  context: PodcastsContext,
  { episode, podcast }: { episode: EpisodeRow; podcast: PodcastRow },
  isSafe: boolean,
): Promise<{ readonly episode: EpisodeRow; readonly podcast: PodcastRow }[]> {
  const { db, account } = context;
  const close = await closeEpisodes(context, episode, podcast);
  const listed = await listListedWith(db, account, "episode", [episode.id], LISTED_MAX);
  const rows = await findEpisodesWithPodcasts(db, account, [...new Set([...close.keys(), ...listed.keys()])]);
  const byId = new Map(rows.map((row) => [row.episode.id, row]));
  byId.delete(episode.id);
  const genres = genresOf(podcast);
  const neighbours: Neighbour[] = [...byId.values()]
    .filter((row) => Number(row.episode.is_listed) === 1)
    .filter((row) => !isSafe || !(isExplicit(row.episode) || isExplicit(row.podcast)))
    .map((row) => ({
      id: row.episode.id,
      closeness: close.get(row.episode.id) ?? 0,
      sharesLanguage: row.podcast.language === podcast.language,
      genreShare: shareOf(genres, genresOf(row.podcast)),
      lists: listed.get(row.episode.id) ?? 0,
      listenScore: Number(row.podcast.listen_score),
    }));
  return nearest(neighbours, RECOMMENDED_MAX).flatMap((id) => byId.get(id) ?? []);
}
