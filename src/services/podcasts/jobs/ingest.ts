/** Stores a parsed feed in transactions of a few episodes. The last transaction also writes the feed row. */
import type { FeedEpisode } from "../domain/feeds/feed.ts";
import { type OpenFeed, withoutDoubles } from "../domain/feeds/read-feed.ts";
import { type Merge, mergeEpisodes } from "../domain/merge.ts";
import { nextCheckMs, updateFrequencyHours } from "../domain/rhythm.ts";
import type { PodcastsContext } from "../state.ts";
import * as episodes from "../store/episodes.ts";
import * as feeds from "../store/feeds.ts";
import * as podcasts from "../store/podcasts.ts";
import { indexEpisodes, indexListing, learnPodcast, unindexEpisodes } from "../store/search-index.ts";
import type { EpisodeRow, PodcastRow } from "../tables.ts";
import { learnSoon } from "./index-work.ts";
import { episodeRowOf, newPodcastRow, podcastChangesOf } from "./listing.ts";
import { ensureScores, scheduleAttachments, scheduleRefresh } from "./work.ts";

/** Batch size of a transaction. Small batches let other writers in between. */
const EPISODES_TOGETHER = 100;
/** Delay before the first score of a new podcast. Podcasts added meanwhile share the job. */
const SCORED_AFTER_MS = 2_000;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The source of a document. */
export type Source = {
  readonly url: string;
  readonly kind: "remote" | "local";
  readonly etag: string;
  readonly lastModified: string;
  readonly bodyHash: string;
  /** The e-mail address of the submitter. */
  readonly email: string;
};

/** In a job, each step has its own transaction. A caller that is already in a transaction uses that one. */
export type IngestContext = Pick<PodcastsContext, "account" | "db" | "transact">;
/** For callers that are already in a transaction. */
export const within = (context: PodcastsContext): IngestContext => ({
  account: context.account,
  db: context.db,
  transact: (work) => work(context),
});
export type Ingested = {
  readonly podcast: PodcastRow;
  readonly count: Merge["count"];
  readonly withdrawn: number;
};

/** Decodes a long feed in batches, so that it does not block the event loop. */
async function allEpisodes({ batchCount, batch }: OpenFeed): Promise<FeedEpisode[]> {
  const all: FeedEpisode[] = [];
  for (let index = 0; index < batchCount; index += 1) {
    all.push(...batch(index));
    await nextTurn();
  }
  return withoutDoubles(all);
}

/** Creates or updates the podcast. Searches find it only after its episodes are stored. */
async function putPodcast(context: IngestContext, id: string, { feed }: OpenFeed, source: Source) {
  return context.transact(async ({ db, account, clock }) => {
    const nowMs = clock.nowMs();
    const changes = podcastChangesOf(feed, { rss: source.url, email: source.email });
    const before = await podcasts.findPodcast(db, account, id);
    const row: PodcastRow = before
      ? { ...before, ...changes, updated_at: nowMs }
      : newPodcastRow(account, id, changes, nowMs);
    if (before) await podcasts.updatePodcast(db, account, id, { ...changes, updated_at: nowMs });
    else await podcasts.insertPodcast(db, account, row);
    await learnPodcast(db, account, row, before);
    await podcasts.setGenres(db, account, id, JSON.parse(row.genre_ids));
    await feeds.addAddress(db, account, source.url, id);
    return row;
  });
}

type Put = { readonly rows: EpisodeRow[]; readonly replaced: ReadonlyMap<string, episodes.EpisodeText> };
async function putRows(
  { db, account, clock }: PodcastsContext,
  podcast: PodcastRow,
  changed: Merge["changed"],
): Promise<Put> {
  const nowMs = clock.nowMs();
  const rows = changed.map((one) => episodeRowOf(one, { account, podcast, nowMs }));
  return { rows, replaced: await episodes.putEpisodes(db, account, rows) };
}
/** Stores all batches except the last, which `finish` stores with the feed row. */
async function putFirst(context: IngestContext, podcast: PodcastRow, changed: Merge["changed"]) {
  let from = 0;
  for (; from + EPISODES_TOGETHER < changed.length; from += EPISODES_TOGETHER)
    await context.transact(async (inner) => {
      const some = changed.slice(from, from + EPISODES_TOGETHER);
      const { rows, replaced } = await putRows(inner, podcast, some);
      await indexEpisodes(inner.db, inner.account, podcast, rows, replaced);
      await learnSoon(inner);
    });
  return changed.slice(from);
}

/** A podcast has a property if at least half of its episodes have it. */
const mostly = (count: number, total: number): number => (total > 0 && count * 2 >= total ? 1 : 0);

/** Columns of the podcast that are computed from its episodes. */
async function figuresOf({ db, account }: PodcastsContext, podcast: PodcastRow) {
  const figures = await episodes.getEpisodeFigures(db, account, podcast.id);
  const changes = {
    total_episodes: figures.total,
    audio_length_sec: figures.averageSeconds,
    earliest_pub_date_ms: figures.earliestMs,
    latest_pub_date_ms: figures.latestMs,
    latest_episode_id: figures.latestId,
    update_frequency_hours: updateFrequencyHours(figures.latestDatesMs),
    has_guest_interviews: mostly(figures.withInterviews, figures.total),
    has_sponsors: mostly(figures.withSponsors, figures.total),
    explicit_content: podcast.explicit_content === 1 ? 1 : mostly(figures.explicit, figures.total),
  } satisfies Partial<PodcastRow>;
  return { changes, latestDatesMs: figures.latestDatesMs };
}

type Last = {
  readonly changed: Merge["changed"];
  readonly withdrawn: readonly string[];
  /** Episodes exist from before this read, and from earlier batches of this read. */
  readonly hasEarlier: boolean;
  readonly hasFirst: boolean;
};
async function finish(
  context: IngestContext,
  podcast: PodcastRow,
  { feed }: OpenFeed,
  source: Source,
  last: Last,
): Promise<PodcastRow> {
  return context.transact(async (inner) => {
    const { db, account, clock } = inner;
    const nowMs = clock.nowMs();
    const { rows, replaced } = await putRows(inner, podcast, last.changed);
    await episodes.withdrawEpisodes(db, account, last.withdrawn, nowMs);
    await unindexEpisodes(db, account, last.withdrawn);
    await learnSoon(inner);
    const { changes, latestDatesMs } = await figuresOf(inner, podcast);
    await podcasts.updatePodcast(db, account, podcast.id, changes);
    const row = { ...podcast, ...changes };
    await indexListing(db, account, row, {
      episodes: rows,
      replaced,
      hasEarlier: last.hasEarlier,
      hasOutdated: last.hasFirst && row.explicit_content !== podcast.explicit_content,
    });
    const nextAtMs = nextCheckMs({
      pubDatesMs: latestDatesMs,
      nowMs,
      isComplete: feed.isComplete,
      failures: 0,
    });
    await feeds.putFeed(db, account, {
      account,
      podcast_id: podcast.id,
      url: source.url,
      kind: source.kind,
      etag: source.etag,
      last_modified: source.lastModified,
      body_hash: source.bodyHash,
      status: "active",
      failures: 0,
      last_problem: "",
      checked_at: nowMs,
      refreshed_at: nowMs,
      next_at: nextAtMs,
    });
    if (source.kind === "remote") await scheduleRefresh(inner, podcast.id, nextAtMs);
    if (await episodes.hasUnfetched(db, account, podcast.id)) await scheduleAttachments(inner, podcast.id);
    if (podcast.listen_score_global_rank === "") await ensureScores(inner, nowMs + SCORED_AFTER_MS);
    return row;
  });
}

/** Idempotent: the same feed changes nothing, and a restart after a crash creates no duplicates. */
export async function ingest(
  context: IngestContext,
  podcastId: string,
  open: OpenFeed,
  source: Source,
): Promise<Ingested> {
  const all = await allEpisodes(open);
  const enterIn = (inner: IngestContext) => enter(inner, podcastId, open, source, all);
  // A short feed needs only one transaction.
  return all.length <= EPISODES_TOGETHER
    ? context.transact((inner) => enterIn(within(inner)))
    : enterIn(context);
}
async function enter(
  context: IngestContext,
  podcastId: string,
  open: OpenFeed,
  source: Source,
  all: readonly FeedEpisode[],
): Promise<Ingested> {
  const podcast = await putPodcast(context, podcastId, open, source);
  const known = await episodes.listKnown(context.db, context.account, podcastId);
  const { changed, withdrawn, count } = mergeEpisodes(podcastId, known, all, open.feed.dateMs);
  const last = await putFirst(context, podcast, changed);
  const finished = await finish(context, podcast, open, source, {
    changed: last,
    withdrawn,
    hasEarlier: known.length > 0,
    hasFirst: last.length < changed.length,
  });
  return { podcast: finished, count, withdrawn: withdrawn.length };
}
