/** Polls a feed, follows permanent moves and schedules the next poll. */
import { jobsFor } from "#kernel/operation";
import { addressKey } from "../domain/feeds/addresses.ts";
import { FeedProblem } from "../domain/feeds/feed.ts";
import { nextCheckMs } from "../domain/rhythm.ts";
import { hashOf, readFeed } from "../reading/index.ts";
import type { PodcastsContext, State } from "../state.ts";
import { getEpisodeFigures } from "../store/episodes.ts";
import * as feeds from "../store/feeds.ts";
import { updatePodcast } from "../store/podcasts.ts";
import type { FeedRow, Tables } from "../tables.ts";
import { type Fetched, fetchDocument } from "./fetch-document.ts";
import { ingest } from "./ingest.ts";
import { refreshWork, scheduleRefresh } from "./work.ts";

export type Refreshed = {
  readonly status: "refreshed" | "unchanged" | "failed" | "local";
  readonly refreshedAtMs: number;
  readonly reason?: string;
};

/** Records a poll that found no change or failed. */
async function note(
  context: PodcastsContext,
  feed: FeedRow,
  changes: Partial<FeedRow>,
  failures: number,
): Promise<number> {
  return context.transact(async (inner) => {
    const { db, account, clock } = inner;
    const nowMs = clock.nowMs();
    const { latestDatesMs } = await getEpisodeFigures(db, account, feed.podcast_id);
    const isComplete = changes.status === "gone";
    const nextAtMs = nextCheckMs({ pubDatesMs: latestDatesMs, nowMs, isComplete, failures });
    await feeds.putFeed(db, account, { ...feed, ...changes, failures, checked_at: nowMs, next_at: nextAtMs });
    await scheduleRefresh(inner, feed.podcast_id, nextAtMs);
    return nowMs;
  });
}

async function fail(
  context: PodcastsContext,
  feed: FeedRow,
  problem: string,
  isGone: boolean,
): Promise<Refreshed> {
  const failures = Number(feed.failures) + 1;
  await note(context, feed, { status: isGone ? "gone" : "broken", last_problem: problem }, failures);
  return { status: "failed", refreshedAtMs: Number(feed.refreshed_at), reason: problem };
}

/** Makes this the feed's URL, unless another podcast has it. The old URL still finds the podcast. */
async function move(context: PodcastsContext, podcastId: string, to: string | undefined): Promise<void> {
  if (!to) return;
  await context.transact(async ({ db, account }) => {
    const feed = await feeds.findFeed(db, account, podcastId);
    if (!feed || addressKey(feed.url) === addressKey(to)) return;
    if (!(await feeds.addAddress(db, account, to, podcastId))) return;
    await feeds.putFeed(db, account, { ...feed, url: to });
    await updatePodcast(db, account, podcastId, { rss: to });
  });
}

type Document = Extract<Fetched, { kind: "document" }>;
async function take(context: PodcastsContext, feed: FeedRow, document: Document): Promise<Refreshed> {
  const bodyHash = await hashOf(document.bytes);
  const { etag, lastModified } = document;
  if (bodyHash === feed.body_hash) {
    const changes = { status: "active", last_problem: "", etag, last_modified: lastModified };
    const nowMs = await note(context, feed, { ...changes, refreshed_at: context.clock.nowMs() }, 0);
    return { status: "unchanged", refreshedAtMs: nowMs };
  }
  try {
    const open = await readFeed(context.account, document.bytes, {
      contentType: document.contentType,
      address: document.base,
    });
    const source = { url: feed.url, kind: "remote", etag, lastModified, bodyHash, email: "" } as const;
    await ingest(context, feed.podcast_id, open, source);
    await move(context, feed.podcast_id, open.feed.newAddress);
    return { status: "refreshed", refreshedAtMs: context.clock.nowMs() };
  } catch (error) {
    if (error instanceof FeedProblem) return fail(context, feed, error.message, false);
    throw error;
  }
}

/** Undefined if there is no such podcast. */
export async function refreshPodcast(
  context: PodcastsContext,
  podcastId: string,
): Promise<Refreshed | undefined> {
  const feed = await feeds.findFeed(context.db, context.account, podcastId);
  if (!feed) return undefined;
  if (feed.kind === "local") return { status: "local", refreshedAtMs: Number(feed.refreshed_at) };
  const fetched = await fetchDocument(context.outbound, {
    url: feed.url,
    etag: feed.etag,
    lastModified: feed.last_modified,
  });
  if (fetched.kind === "failed") return fail(context, feed, fetched.problem, fetched.isGone);
  const refreshed =
    fetched.kind === "document" ? await take(context, feed, fetched) : await unchanged(context, feed);
  await move(context, podcastId, fetched.movedTo);
  return refreshed;
}
async function unchanged(context: PodcastsContext, feed: FeedRow): Promise<Refreshed> {
  const changes = { status: "active", last_problem: "", refreshed_at: context.clock.nowMs() };
  return { status: "unchanged", refreshedAtMs: await note(context, feed, changes, 0) };
}

export const refresh = jobsFor<Tables, State>()({
  ...refreshWork,
  transaction: "manual",
  async run({ podcastId }: { podcastId: string }, context) {
    await refreshPodcast(context, podcastId);
  },
});
