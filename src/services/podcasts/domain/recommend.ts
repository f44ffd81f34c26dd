/**
 * Similarity of podcasts or episodes: shared words weighted by rarity, then genre, language and common
 * lists.
 */

export type Term = { readonly term: string; readonly weight: number };

/** Inverse document frequency, as in BM25: `count` of `total` have the term. */
export const rarityOf = (count: number, total: number): number =>
  Math.log(1 + Math.max(0, total - count + 0.5) / (count + 0.5));

export type Neighbour = {
  readonly id: string;
  /** Similarity by words, from 0 to 1. The best match has 1. */
  readonly closeness: number;
  readonly sharesLanguage: boolean;
  /** Common genres as a share of all genres of both. */
  readonly genreShare: number;
  /** Lists that contain both. */
  readonly lists: number;
  readonly listenScore: number;
};

const CLOSENESS = 600;
const GENRE = 200;
const LANGUAGE = 250;
const LIST = 150;
const LISTS_MAX = 3;
const LISTEN_SCORE = 1;

export const nearnessOf = (one: Neighbour): number =>
  Math.floor(
    CLOSENESS * one.closeness +
      GENRE * one.genreShare +
      (one.sharesLanguage ? LANGUAGE : 0) +
      LIST * Math.min(LISTS_MAX, one.lists) +
      LISTEN_SCORE * one.listenScore,
  );

export function shareOf(one: readonly number[], other: readonly number[]): number {
  const all = new Set([...one, ...other]);
  if (all.size === 0) return 0;
  return one.filter((id) => other.includes(id)).length / all.size;
}

/** Most similar first; ties by id. */
export function nearest(neighbours: readonly Neighbour[], limit: number): string[] {
  return neighbours
    .map((one) => ({ id: one.id, nearness: nearnessOf(one) }))
    .sort((one, other) => other.nearness - one.nearness || (one.id < other.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id);
}
