/** Enters what a feed says: a few episodes in each transaction, the feed's own record with the last of them. */
import { createHash } from "node:crypto";
import type { FeedEpisode } from "../domain/feeds/feed.ts";
import { type OpenFeed, withoutDoubles } from "../domain/feeds/read-feed.ts";
import { type Merge, mergeEpisodes } from "../domain/merge.ts";
import { nextCheckMs, updateFrequencyHours } from "../domain/rhythm.ts";
import type { PodcastsContext } from "../state.ts";
import * as episodes from "../store/episodes.ts";
import * as feeds from "../store/feeds.ts";
import * as podcasts from "../store/podcasts.ts";
import { indexEpisodes, indexPodcast, unindexEpisodes } from "../store/search-index.ts";
import type { PodcastRow } from "../tables.ts";
import { episodeRowOf, newPodcastRow, podcastChangesOf } from "./listing.ts";
import { scheduleAttachments, scheduleRefresh, scheduleScores } from "./work.ts";

/** So many share a transaction, so that others have their turn in between. */
const EPISODES_TOGETHER = 100;
/** A new podcast has its first score then; those that come meanwhile share the work. */
const SCORED_AFTER_MS = 2_000;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Where a document came from. */
export type Source = {
  readonly url: string;
  readonly kind: "remote" | "local";
  readonly etag: string;
  readonly lastModified: string;
  readonly bodyHash: string;
  /** Of whoever submitted it. */
  readonly email: string;
};
export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("base64url");

/** In a job each step has a transaction of its own; whoever is in one already takes them all into it. */
export type IngestContext = Pick<PodcastsContext, "account" | "db" | "transact">;
export type Ingested = {
  readonly podcast: PodcastRow;
  readonly count: Merge["count"];
  readonly withdrawn: number;
};

/** A long feed is read in turns, too. */
async function allEpisodes({ itemCount, episodes: read }: OpenFeed): Promise<FeedEpisode[]> {
  const all: FeedEpisode[] = [];
  for (let from = 0; from < itemCount; from += EPISODES_TOGETHER) {
    all.push(...read(from, from + EPISODES_TOGETHER));
    await nextTurn();
  }
  return withoutDoubles(all);
}

/** Made or changed; known to searches. */
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
    await podcasts.setGenres(db, account, id, JSON.parse(row.genre_ids));
    await feeds.addAddress(db, account, source.url, id);
    await indexPodcast(db, account, row);
    return row;
  });
}

async function putChanged(context: IngestContext, podcast: PodcastRow, changed: Merge["changed"]) {
  for (let from = 0; from < changed.length; from += EPISODES_TOGETHER)
    await context.transact(async ({ db, account, clock }) => {
      const nowMs = clock.nowMs();
      const rows = changed
        .slice(from, from + EPISODES_TOGETHER)
        .map((one) => episodeRowOf(one, { account, podcast, nowMs }));
      await episodes.putEpisodes(db, account, rows);
      await indexEpisodes(db, account, podcast, rows);
    });
}

/** Half of the episodes say it: then it is said of the podcast. */
const mostly = (count: number, total: number): number => (total > 0 && count * 2 >= total ? 1 : 0);

async function finish(
  context: IngestContext,
  podcast: PodcastRow,
  { feed }: OpenFeed,
  source: Source,
  withdrawn: readonly string[],
): Promise<PodcastRow> {
  return context.transact(async (inner) => {
    const { db, account, clock } = inner;
    const nowMs = clock.nowMs();
    await episodes.withdrawEpisodes(db, account, withdrawn, nowMs);
    await unindexEpisodes(db, account, withdrawn);
    const figures = await episodes.getEpisodeFigures(db, account, podcast.id);
    const changes: Partial<PodcastRow> = {
      total_episodes: figures.total,
      audio_length_sec: figures.averageSeconds,
      earliest_pub_date_ms: figures.earliestMs,
      latest_pub_date_ms: figures.latestMs,
      latest_episode_id: figures.latestId,
      update_frequency_hours: updateFrequencyHours(figures.latestDatesMs),
      has_guest_interviews: mostly(figures.withInterviews, figures.total),
      has_sponsors: mostly(figures.withSponsors, figures.total),
      explicit_content: podcast.explicit_content === 1 ? 1 : mostly(figures.explicit, figures.total),
    };
    await podcasts.updatePodcast(db, account, podcast.id, changes);
    const row = { ...podcast, ...changes };
    await indexPodcast(db, account, row);
    const { latestDatesMs } = figures;
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
    await scheduleAttachments(inner, podcast.id);
    if (podcast.listen_score_global_rank === "") await scheduleScores(inner, nowMs + SCORED_AFTER_MS);
    return row;
  });
}

/** Reading the same feed again changes nothing, and going on after a crash begins anew and doubles nothing. */
export async function ingest(
  context: IngestContext,
  podcastId: string,
  open: OpenFeed,
  source: Source,
): Promise<Ingested> {
  const all = await allEpisodes(open);
  const podcast = await putPodcast(context, podcastId, open, source);
  const known = await episodes.listKnown(context.db, context.account, podcastId);
  const { changed, withdrawn, count } = mergeEpisodes(podcastId, known, all);
  await putChanged(context, podcast, changed);
  const finished = await finish(context, podcast, open, source, withdrawn);
  return { podcast: finished, count, withdrawn: withdrawn.length };
}
