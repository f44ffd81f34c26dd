/** Operations for podcasts: read one or several, and remove one permanently. */
import { Type } from "@sinclair/typebox";
import { addressKey } from "../domain/feeds/addresses.ts";
import { errors } from "../errors.ts";
import { learnSoon } from "../jobs/index-work.ts";
import { cancelWork } from "../jobs/work.ts";
import type { PodcastsContext } from "../state.ts";
import { listByDate, listLatest } from "../store/episodes.ts";
import { findFeed } from "../store/feeds.ts";
import { findPodcastIdBy, type IdType } from "../store/lookup.ts";
import * as store from "../store/podcasts.ts";
import { unindexPodcast } from "../store/search-index.ts";
import type { EpisodeRow, PodcastRow } from "../tables.ts";
import * as wire from "../wire/index.ts";
import { bulkOf, getPodcast, pageFacts } from "./lookup.ts";
import { meteredOperation } from "./metered.ts";

const EPISODES_A_PAGE = 10;
/** Episodes with the same date that a page can hold in addition to its size. */
const TIES_MAX = 1_000;
const LATEST_MAX = 15;
const DOMAIN_PAGE = 10;

const named = Type.Object({ id: wire.PodcastId });
const NextEpisodePubDate = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "Where the next page of episodes begins, as the answer before says.",
    examples: [1_479_154_463_000],
  }),
);

type Sort = "recent_first" | "oldest_first";
/** A page never splits episodes with the same date, so that the next date is a valid page cursor. */
async function episodesPage(
  { db, account }: PodcastsContext,
  podcastId: string,
  sort: Sort,
  from: number | undefined,
): Promise<{ page: EpisodeRow[]; nextMs: number | null }> {
  const limit = EPISODES_A_PAGE + TIES_MAX;
  const rows = await listByDate(db, account, podcastId, { sort, from, limit });
  const dateAt = (at: number) => Number(rows[at]?.pub_date_ms ?? Number.NaN);
  let end = Math.min(EPISODES_A_PAGE, rows.length);
  while (end < rows.length && dateAt(end) === dateAt(end - 1)) end += 1;
  const page = rows.slice(0, end);
  if (end < rows.length) return { page, nextMs: dateAt(end) };
  if (rows.length < limit) return { page, nextMs: null };
  // More have this date than a page holds. The next page begins with the next date.
  const beyond = dateAt(end - 1) + (sort === "recent_first" ? -1 : 1);
  const [next] = await listByDate(db, account, podcastId, { sort, from: beyond, limit: 1 });
  return { page, nextMs: next ? Number(next.pub_date_ms) : null };
}

const readPodcast = meteredOperation({
  id: "podcasts.podcasts.get",
  summary: "Returns a podcast with a page of its episodes",
  description:
    "About 10 episodes on a page; pass `next_episode_pub_date` for the next. Episodes with the same date stay on one page. The request counts for the podcast's audience and scores.",
  method: "GET",
  path: "/podcasts/{id}",
  permission: "podcasts:GetPodcast",
  params: named,
  query: Type.Object({
    next_episode_pub_date: NextEpisodePubDate,
    sort: Type.Union([Type.Literal("recent_first"), Type.Literal("oldest_first")], {
      default: "recent_first",
      description: "In which order its episodes come.",
      examples: ["recent_first"],
    }),
  }),
  answers: { 200: wire.PodcastFull },
  errors: [errors.notFound],
  async handle({ params, query }, context) {
    const podcast = await getPodcast(context, params.id);
    context.state.interest.note(context, podcast.id);
    const links = wire.linksOf(context);
    const { page, nextMs } = await episodesPage(context, podcast.id, query.sort, query.next_episode_pub_date);
    return {
      ...wire.podcastSimpleOf(podcast, links),
      episodes: page.map((episode) => wire.episodeMinimumOf(episode, links)),
      next_episode_pub_date: nextMs,
    };
  },
});

/** A reason that makes the request a dry run, for client tests. */
const TESTING = "testing";
const deletePodcast = meteredOperation({
  id: "podcasts.podcasts.delete",
  summary: "Deletes a podcast permanently",
  description:
    "Removes its episodes and transcripts from the directory and the search, and cancels its refreshes. The feed cannot be submitted again. With the reason `testing` nothing is removed, and the status is `in review`. Playlists keep the title.",
  method: "DELETE",
  path: "/podcasts/{id}",
  permission: "podcasts:DeletePodcast",
  params: named,
  query: Type.Object({
    reason: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: "Why it is to be removed; `testing` removes nothing.",
        examples: ["the podcaster asked for it"],
      }),
    ),
  }),
  answers: {
    200: Type.Object({ status: Type.Union([Type.Literal("deleted"), Type.Literal("in review")]) }),
  },
  errors: [errors.notFound],
  async handle({ params, query: { reason = "" } }, context) {
    const { db, account, clock } = context;
    const podcast = await getPodcast(context, params.id);
    if (reason.trim().toLowerCase() === TESTING) return { status: "in review" as const };
    await unindexPodcast(db, account, podcast.id);
    await learnSoon(context);
    await store.removePodcast(db, account, {
      account,
      podcast_id: podcast.id,
      title: podcast.title,
      address: addressKey(podcast.rss),
      reason,
      removed_at: clock.nowMs(),
    });
    await cancelWork(context, podcast.id);
    return { status: "deleted" as const };
  },
});

const list = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 20_000, description, examples: [example] }));
const BulkForm = Type.Object({
  ids: list("Ids, separated by commas, up to ten.", "4d3fe717742d4963a85562e9f84d8c79"),
  rsses: list("Addresses of feeds, separated by commas, up to ten.", "https://example.org/feed.xml"),
  storeone_ids: list("Numbers of the first store, separated by commas, up to ten.", "659155419"),
  storetwo_ids: list("Ids of the second store, separated by commas, up to ten.", "3DgfoleqaW61T2amZQKINx"),
  show_latest_episodes: wire.zeroOrOne("1 for the latest episodes of all of them together."),
  next_episode_pub_date: NextEpisodePubDate,
});
const BULK_MEMBERS: readonly (readonly [
  member: "ids" | "rsses" | "storeone_ids" | "storetwo_ids",
  type: IdType,
])[] = [
  ["ids", "vendor_id"],
  ["rsses", "rss"],
  ["storeone_ids", "storeone_id"],
  ["storetwo_ids", "storetwo_id"],
];

async function namedPodcasts(
  { db, account }: PodcastsContext,
  form: { [Member in (typeof BULK_MEMBERS)[number][0]]?: string },
): Promise<PodcastRow[]> {
  const ids: string[] = [];
  for (const [member, type] of BULK_MEMBERS)
    for (const value of bulkOf(member, form[member])) {
      const id = await findPodcastIdBy(db, account, type, value);
      if (id !== undefined) ids.push(id);
    }
  return store.listPodcasts(db, account, [...new Set(ids)]);
}

const readMany = meteredOperation({
  id: "podcasts.podcasts.bulk",
  summary: "Returns several podcasts by ids, feeds or store ids",
  description: `At most 10 of each kind; unknown ones are left out. \`show_latest_episodes\` adds the ${LATEST_MAX} latest episodes of all of them.`,
  method: "POST",
  path: "/podcasts",
  permission: "podcasts:GetPodcast",
  transaction: "read",
  body: BulkForm,
  bodyKinds: ["form", "multipart", "json"],
  bodyOptional: true,
  answers: {
    200: Type.Object({
      podcasts: Type.Array(wire.PodcastSimple),
      latest_episodes: Type.Array(wire.EpisodeSimple),
      next_episode_pub_date: Type.Union([Type.Integer(), Type.Null()]),
    }),
  },
  errors: [errors.badRequest],
  examples: { body: { ids: "4d3fe717742d4963a85562e9f84d8c79" } },
  async handle({ body }, context) {
    const { db, account } = context;
    const form = body ?? {};
    if (BULK_MEMBERS.every(([member]) => (form[member] ?? "").trim() === ""))
      throw errors.badRequest("Say ids, rsses, storeone_ids or storetwo_ids.");
    const podcasts = await namedPodcasts(context, form);
    const links = wire.linksOf(context);
    const byId = new Map(podcasts.map((podcast) => [podcast.id, podcast]));
    const latest =
      form.show_latest_episodes === 1
        ? await listLatest(db, account, [...byId.keys()], {
            before: form.next_episode_pub_date,
            limit: LATEST_MAX,
          })
        : { episodes: [], hasMore: false };
    return {
      podcasts: podcasts.map((podcast) => wire.podcastSimpleOf(podcast, links)),
      latest_episodes: latest.episodes.flatMap((episode) => {
        const podcast = byId.get(episode.podcast_id);
        return podcast ? [wire.episodeSimpleOf(episode, podcast, links)] : [];
      }),
      next_episode_pub_date: latest.hasMore ? Number(latest.episodes.at(-1)?.pub_date_ms) : null,
    };
  },
});

const readDomain = meteredOperation({
  id: "podcasts.podcasts.domain",
  summary: "Lists the podcasts whose website is at a domain",
  description: "Includes hosts below the domain. Pages have 10 podcasts; an empty page gives 404.",
  method: "GET",
  path: "/podcasts/domains/{domain_name}",
  permission: "podcasts:GetPodcast",
  params: Type.Object({
    domain_name: Type.String({
      minLength: 1,
      maxLength: 253,
      description: "Host name of the website; hosts below it count as well.",
      examples: ["example.org"],
    }),
  }),
  query: Type.Object({ page: wire.PageNumber }),
  answers: { 200: Type.Object({ ...wire.numberedPage, podcasts: Type.Array(wire.PodcastSimple) }) },
  errors: [errors.notFound],
  async handle({ params, query: { page } }, context) {
    const { db, account } = context;
    const domain = params.domain_name.toLowerCase().replace(/^www\./, "");
    const slice = { offset: (page - 1) * DOMAIN_PAGE, limit: DOMAIN_PAGE + 1 };
    const rows = await store.pageOfDomain(db, account, domain, slice);
    if (rows.length === 0) throw errors.notFound(`There is no podcast of ${domain} on page ${page}.`);
    const links = wire.linksOf(context);
    return {
      ...pageFacts(page, rows.length > DOMAIN_PAGE),
      podcasts: rows.slice(0, DOMAIN_PAGE).map((podcast) => wire.podcastSimpleOf(podcast, links)),
    };
  },
});

const readFeedState = meteredOperation({
  id: "podcasts.podcasts.feed",
  summary: "Returns the state of a podcast's feed and its Podcasting 2.0 tags",
  description:
    "Shows failures, the last problem, and when the feed is checked next: every 15 minutes to 7 days, by the rhythm of its episodes.",
  method: "GET",
  path: "/podcasts/{id}/feed",
  permission: "podcasts:GetPodcast",
  params: named,
  answers: {
    200: Type.Object({
      rss: Type.String(),
      kind: Type.String({ description: "`remote`, or `local` for a file that was handed over." }),
      status: Type.String({ description: "`active`, `broken` or `gone`." }),
      failures: Type.Integer({ minimum: 0 }),
      last_problem: Type.String(),
      last_checked_at_ms: Type.Integer(),
      last_refreshed_at_ms: Type.Integer(),
      next_check_at_ms: Type.Integer(),
      podcasting: Type.Record(Type.String(), Type.Unknown()),
    }),
  },
  errors: [errors.notFound],
  tags: ["addition"],
  async handle({ params }, context) {
    const podcast = await getPodcast(context, params.id);
    const feed = await findFeed(context.db, context.account, podcast.id);
    return {
      rss: podcast.rss,
      kind: feed?.kind ?? "local",
      status: feed?.status ?? "active",
      failures: Number(feed?.failures ?? 0),
      last_problem: feed?.last_problem ?? "",
      last_checked_at_ms: Number(feed?.checked_at ?? 0),
      last_refreshed_at_ms: Number(feed?.refreshed_at ?? 0),
      next_check_at_ms: Number(feed?.next_at ?? 0),
      podcasting: JSON.parse(podcast.podcasting),
    };
  },
});

export const podcastOperations = [readPodcast, deletePodcast, readMany, readDomain, readFeedState];
