/** Recomputes listen scores and ranks every ten minutes, by account. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { completenessOf, globalRankOf, listenScoreOf } from "../domain/scores.ts";
import type { PodcastsContext, State } from "../state.ts";
import { forgetOldSearches } from "../store/interest.ts";
import {
  accountsWithPodcasts,
  listScored,
  listsByPodcast,
  requestsByPodcast,
  type ScoredPodcast,
  setScore,
} from "../store/scores.ts";
import type { Tables } from "../tables.ts";
import { scoreWork } from "./work.ts";

const EVERY_SECONDS = 600;
const READ_AT_ONCE = 500;
const WRITTEN_AT_ONCE = 200;
const job = jobsFor<Tables, State>();

async function readAll({ db, account }: PodcastsContext): Promise<ScoredPodcast[]> {
  const all: ScoredPodcast[] = [];
  for (;;) {
    const some = await listScored(db, account, all.at(-1)?.id ?? "", READ_AT_ONCE);
    all.push(...some);
    if (some.length < READ_AT_ONCE) return all;
  }
}

async function scoresOf(context: PodcastsContext) {
  const { db, account, clock } = context;
  const nowMs = clock.nowMs();
  const requests = await requestsByPodcast(db, account, nowMs);
  const lists = await listsByPodcast(db, account);
  const scored = (await readAll(context)).map((podcast) => ({
    podcast,
    score: listenScoreOf(
      {
        requests: requests.get(podcast.id) ?? 0,
        lists: lists.get(podcast.id) ?? 0,
        latestPubDateMs: Number(podcast.latest_pub_date_ms),
        totalEpisodes: Number(podcast.total_episodes),
        complete: completenessOf({
          ...podcast,
          descriptionLetters: Number(podcast.description_letters),
          genres: JSON.parse(podcast.genre_ids).length,
        }),
      },
      nowMs,
    ),
  }));
  scored.sort((one, other) => other.score - one.score || (one.podcast.id < other.podcast.id ? -1 : 1));
  return scored.map(({ podcast, score }, place) => ({
    podcast,
    score,
    rank: globalRankOf(place, scored.length),
  }));
}

const scoreAccount = job({
  ...scoreWork,
  payload: Type.Object({}),
  transaction: "manual",
  alone: true,
  async run(_payload, context) {
    const changed = (await scoresOf(context)).filter(
      ({ podcast, score, rank }) =>
        Number(podcast.listen_score) !== score || podcast.listen_score_global_rank !== rank,
    );
    for (let from = 0; from < changed.length; from += WRITTEN_AT_ONCE)
      await context.transact(async ({ db, account }) => {
        for (const { podcast, score, rank } of changed.slice(from, from + WRITTEN_AT_ONCE))
          await setScore(db, account, podcast.id, { score, rank });
      });
  },
});

const scoreAll = job({
  name: "podcasts.score-all",
  payload: Type.Object({}),
  repeat: { everySeconds: EVERY_SECONDS },
  housekeeping: true,
  async run(_payload, context) {
    await forgetOldSearches(context.db, context.clock.nowMs());
    for (const account of await accountsWithPodcasts(context.db))
      await context.enqueue(scoreWork, {}, { key: "score", account });
  },
});
export const scoreJobs = [scoreAccount, scoreAll];
