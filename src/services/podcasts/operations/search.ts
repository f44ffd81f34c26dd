/** Operations that search episodes, podcasts and curated lists. */
import type { Static } from "@sinclair/typebox";
import type { Query } from "../domain/search/query.ts";
import { errors } from "../errors.ts";
import { type Page, runSearch, type Wanted } from "../search/engine.ts";
import { searchWithFewer } from "../search/fewer-words.ts";
import type { PodcastsContext } from "../state.ts";
import { findPodcastIdBy } from "../store/lookup.ts";
import { podcastsById } from "../store/podcasts.ts";
import {
  curatedById,
  findEpisodesWithPodcasts,
  podcastsOfLists,
  transcriptTexts,
} from "../store/search-rows.ts";
import * as wire from "../wire/index.ts";
import { curatedResultOf, episodeResultOf, podcastResultOf } from "../wire/results.ts";
import { meteredOperation } from "./metered.ts";
import { wantedOf } from "./search-request.ts";

type SearchAsked = Static<typeof wire.SearchQuery>;

async function episodeResults(context: PodcastsContext, { found }: Page, query: Query) {
  const { db, account } = context;
  const links = wire.linksOf(context);
  const ids = found.map(({ id }) => id);
  const rows = await findEpisodesWithPodcasts(db, account, ids);
  const transcripts = await transcriptTexts(
    db,
    account,
    rows.filter(({ episode }) => episode.transcript_url !== "").map(({ episode }) => episode.id),
  );
  return rows.map((row) =>
    episodeResultOf({ ...row, transcript: transcripts.get(row.episode.id) }, query, links),
  );
}
async function podcastResults(context: PodcastsContext, { found }: Page, query: Query) {
  const { db, account } = context;
  const links = wire.linksOf(context);
  const ids = found.map(({ id }) => id);
  const podcasts = await podcastsById(db, account, ids);
  return ids.flatMap((id) => {
    const podcast = podcasts.get(id);
    return podcast ? [podcastResultOf(podcast, query, links)] : [];
  });
}
async function curatedResults(context: PodcastsContext, { found }: Page, query: Query) {
  const { db, account } = context;
  const links = wire.linksOf(context);
  const ids = found.map(({ id }) => id);
  const lists = await curatedById(db, account, ids);
  const podcasts = await podcastsOfLists(db, account, ids);
  return ids.flatMap((id) => {
    const list = lists.get(id);
    return list ? [curatedResultOf(list, podcasts.get(id) ?? [], query, links)] : [];
  });
}
type Result = Static<typeof wire.SearchAnswer>["results"][number];
const resultsOf: Readonly<
  Record<SearchAsked["type"], (context: PodcastsContext, page: Page, query: Query) => Promise<Result[]>>
> = { episode: episodeResults, podcast: podcastResults, curated: curatedResults };

function envelope<Result>(results: Result[], { total }: Page, { offset }: Wanted, startedMs: number) {
  return {
    took: Math.round(performance.now() - startedMs) / 1000,
    total,
    count: results.length,
    next_offset: offset + results.length,
    results,
  };
}

const search = meteredOperation({
  id: "podcasts.search",
  summary: "Searches episodes, podcasts or curated lists",
  description:
    "Other forms of a word are found by the stems of the podcast's language; accents and case do not matter. If nothing has all words, results with fewer follow, and `fewer_words` says with how many. The search counts for trending and related searches. At most 10000 results can be paged through. Every request counts towards the plan of the key.",
  method: "GET",
  path: "/search",
  permission: "podcasts:Search",
  query: wire.SearchQuery,
  answers: { 200: wire.SearchAnswer },
  errors: [errors.badRequest],
  examples: { query: { q: "star wars", sort_by_date: 0, type: "episode" } },
  async handle({ query: asked }, context) {
    const startedMs = performance.now();
    const wanted = await wantedOf(context, asked);
    const { page, query, fewer } = await searchWithFewer(context.db, context.account, wanted);
    const results = await resultsOf[asked.type](context, page, query);
    const isFound = page.total > 0 && (!fewer || fewer.complete !== undefined);
    if (isFound && asked.offset === 0) context.state.interest.noteSearch(context, asked.q);
    return { ...envelope(results, page, wanted, startedMs), ...(fewer && { fewer_words: fewer }) };
  },
});

/** One page of episodes with their podcasts, for other representations of a search. */
export async function searchEpisodes(context: PodcastsContext, asked: SearchAsked) {
  const wanted = await wantedOf(context, { ...asked, type: "episode" });
  const { found, total } = await runSearch(context.db, context.account, wanted);
  const ids = found.map(({ id }) => id);
  return { total, episodes: await findEpisodesWithPodcasts(context.db, context.account, ids) };
}

/** Default parameters of an episode search. */
const PLAIN_SEARCH: Omit<SearchAsked, "q"> = {
  sort_by_date: 0,
  type: "episode",
  offset: 0,
  len_min: 0,
  published_after: 0,
  safe_mode: 0,
  unique_podcasts: 0,
  interviews_only: 0,
  sponsored_only: 0,
  page_size: 10,
};

const searchTitles = meteredOperation({
  id: "podcasts.search-episode-titles",
  summary: "Searches the titles of episodes of a podcast",
  description: "Matches titles only; `podcasts.search` also searches descriptions and transcripts.",
  method: "GET",
  path: "/search_episode_titles",
  permission: "podcasts:Search",
  query: wire.EpisodeTitlesQuery,
  answers: { 200: wire.EpisodeTitlesAnswer },
  errors: [errors.badRequest],
  examples: { query: { q: "pilot", podcast_id_type: "vendor_id" } },
  async handle({ query: asked }, context) {
    const startedMs = performance.now();
    const { db, account } = context;
    const { q, podcast_id: id, podcast_id_type: type, offset } = asked;
    const ocid = id === undefined ? undefined : await findPodcastIdBy(db, account, type, id);
    if (id !== undefined && ocid === undefined)
      throw errors.badRequest(`No podcast has the ${type} ${JSON.stringify(id)}.`);
    const wanted = await wantedOf(context, { ...PLAIN_SEARCH, q, offset, only_in: "title", ocid });
    const page = await runSearch(db, account, wanted);
    const results = await episodeResults(context, page, wanted.query.search.query);
    return envelope(results, page, wanted, startedMs);
  },
});

export const searchOperations = [search, searchTitles];
