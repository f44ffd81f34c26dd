/** Listen score and global rank, computed from local signals. The README has the formula. */

export type Signals = {
  /** Requests for the podcast or its episodes, with a half-life of thirty days. */
  readonly requests: number;
  /** Playlists and curated lists that contain the podcast or one of its episodes. */
  readonly lists: number;
  readonly latestPubDateMs: number;
  readonly totalEpisodes: number;
  /** Number of recommended feed fields that are set, up to `COMPLETE_MAX`. */
  readonly complete: number;
};

const DAY_MS = 86_400_000;
const REQUEST_POINTS = 45;
const LIST_POINTS = 20;
const RECENCY_POINTS = 15;
const EPISODE_POINTS = 10;
const COMPLETE_POINTS = 10;
/** Value at which the logarithm gives full points. */
const REQUESTS_FULL = 100_000;
const LISTS_FULL = 1_000;
const EPISODES_FULL = 500;
const RECENT_DAYS = 30;

const share = (value: number, full: number): number =>
  Math.min(1, Math.log1p(Math.max(0, value)) / Math.log1p(full));

type Completeness = {
  readonly image: string;
  readonly descriptionLetters: number;
  readonly publisher: string;
  readonly website: string;
  readonly email: string;
  readonly genres: number;
};
export const COMPLETE_MAX = 6;
const DESCRIPTION_LETTERS_MIN = 80;
export const completenessOf = (podcast: Completeness): number =>
  [
    podcast.image !== "",
    podcast.descriptionLetters >= DESCRIPTION_LETTERS_MIN,
    podcast.publisher !== "",
    podcast.website !== "",
    podcast.email !== "",
    podcast.genres > 0,
  ].filter(Boolean).length;

/** From 0 to 100. */
export function listenScoreOf(signals: Signals, nowMs: number): number {
  const ageDays = Math.max(0, (nowMs - signals.latestPubDateMs) / DAY_MS);
  const recency = signals.latestPubDateMs === 0 ? 0 : RECENT_DAYS / (RECENT_DAYS + ageDays);
  return Math.round(
    REQUEST_POINTS * share(signals.requests, REQUESTS_FULL) +
      LIST_POINTS * share(signals.lists, LISTS_FULL) +
      RECENCY_POINTS * recency +
      EPISODE_POINTS * share(signals.totalEpisodes, EPISODES_FULL) +
      (COMPLETE_POINTS * signals.complete) / COMPLETE_MAX,
  );
}

const RANKS: readonly number[] = [
  0.01, 0.05, 0.1, 0.5, 1, 1.5, 2, 2.5, 3, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100,
];
/** Top percentage of the rank; `place` starts at 0. */
export function globalRankOf(place: number, total: number): string {
  const percent = ((place + 1) * 100) / Math.max(1, total);
  return `${RANKS.find((rank) => percent <= rank) ?? 100}%`;
}
