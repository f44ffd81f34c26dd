/**
 * Deferred index work: learns words for spelling, reindexes episodes of changed podcasts, merges index
 * segments.
 */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { PodcastsContext, State } from "../state.ts";
import { hasPieces, joinSomePieces } from "../store/index-pieces.ts";
import { accountsWithIndexWork, takeIndexWork } from "../store/index-work.ts";
import { podcastsById } from "../store/podcasts.ts";
import { indexEpisodes, listEpisodesToIndex } from "../store/search-index.ts";
import type { Tables } from "../tables.ts";

/** Batches changes before the index learns them. */
const GATHERED_MS = 5000;
const LEFT_EVERY_SECONDS = 3600;
/** Batches index writes before segments are merged. */
const JOINED_MS = 30_000;
const ACCOUNTS_AT_ONCE = 100;
const TAKEN_AT_ONCE = 5;
const EPISODES_AT_ONCE = 100;
const job = jobsFor<Tables, State>();

/** Restarts from the first episode after an interruption. Indexing is idempotent. */
async function indexAnew(context: PodcastsContext, podcastId: string): Promise<void> {
  let after = "";
  for (let isMore = true; isMore; )
    isMore = await context.transact(async (inner) => {
      const { db, account } = inner;
      const podcast = (await podcastsById(db, account, [podcastId])).get(podcastId);
      if (!podcast) return false;
      const episodes = await listEpisodesToIndex(db, account, podcastId, { after, limit: EPISODES_AT_ONCE });
      await indexEpisodes(
        db,
        account,
        podcast,
        episodes,
        new Map(episodes.map((episode) => [episode.id, episode])),
      );
      await learnSoon(inner);
      after = episodes.at(-1)?.id ?? after;
      return episodes.length === EPISODES_AT_ONCE;
    });
}

const reindex = job({
  name: "podcasts.reindex",
  payload: Type.Object({ podcastId: Type.String() }),
  transaction: "manual",
  run: ({ podcastId }, context) => indexAnew(context, podcastId),
});

const learn = job({
  name: "podcasts.learn",
  payload: Type.Object({}),
  transaction: "manual",
  alone: true,
  async run(_payload, context) {
    for (let isEmpty = false; !isEmpty; )
      isEmpty = await context.transact(async (inner) => {
        const work = await takeIndexWork(inner.db, inner.account, TAKEN_AT_ONCE);
        for (const podcastId of work.podcastIds)
          await inner.enqueue(reindex, { podcastId }, { key: `reindex ${podcastId}` });
        return work.isEmpty;
      });
  },
});

/** Call it in each transaction that leaves index work. */
export async function learnSoon(context: PodcastsContext): Promise<void> {
  const runAtMs = context.clock.nowMs() + GATHERED_MS;
  await context.enqueue(learn, {}, { key: "learn", keepsTime: true, runAtMs });
  await joinSoon(context);
}
/** Call it in each transaction that writes to the index but leaves no other work. */
export async function joinSoon(context: PodcastsContext): Promise<void> {
  if (!hasPieces(context.db)) return;
  const runAtMs = context.clock.nowMs() + JOINED_MS;
  await context.enqueue(joinPieces, {}, { key: "join", keepsTime: true, runAtMs });
}

/** Finds work without a job, for example after a state import. */
const learnAll = job({
  name: "podcasts.learn-all",
  payload: Type.Object({}),
  repeat: { everySeconds: LEFT_EVERY_SECONDS },
  housekeeping: true,
  async run(_payload, context) {
    for (const account of await accountsWithIndexWork(context.db, ACCOUNTS_AT_ONCE))
      await context.enqueue(learn, {}, { key: "learn", account });
  },
});

const joinPieces = job({
  name: "podcasts.join-pieces",
  payload: Type.Object({}),
  housekeeping: true,
  transaction: "manual",
  async run(_payload, context) {
    while (await context.transact(({ db }) => joinSomePieces(db)));
  },
});
export const indexJobs = [reindex, learn, learnAll, joinPieces];
