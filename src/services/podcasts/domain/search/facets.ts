/** Filters of a search, encoded as index words. One index lookup then answers text and filters. */

/** Episode, podcast or curated list. */
export type Kind = "e" | "p" | "c";

/** Every document has this facet. It serves searches that only exclude. */
export const ANYTHING = "_";
export const EXPLICIT = "_x";
export const INTERVIEW = "_i";
export const SPONSORED = "_s";
const NOT_NAME = /[^a-z0-9]/g;
export const languageFacet = (language: string): string =>
  `_l${language.toLowerCase().replace(NOT_NAME, "")}`;
export const regionFacet = (country: string): string => `_r${country.toLowerCase()}`;
export const genreFacet = (genreId: number): string => `_g${genreId}`;
export const podcastFacet = (podcastId: string): string => `_p${podcastId.toLowerCase()}`;

/** Longer episodes are counted as this length. */
export const MINUTES_MAX = 1023;
/** Block sizes in minutes. */
const BLOCKS: readonly number[] = [1, 4, 16, 64, 256];
/** Rounded to whole minutes. */
export const minutesOf = (seconds: number): number =>
  Math.min(MINUTES_MAX, Math.max(0, Math.round(seconds / 60)));
const blockFacet = (block: number, number: number): string => `_m${block}_${number}`;

export const lengthFacets = (seconds: number): string[] =>
  BLOCKS.map((block) => blockFacet(block, Math.floor(minutesOf(seconds) / block)));

/** The fewest blocks that cover exactly the minutes from `min` to `max`. */
export function lengthRangeFacets(min: number, max: number): string[] {
  const facets: string[] = [];
  const last = Math.min(max, MINUTES_MAX);
  let minute = Math.max(0, min);
  while (minute <= last) {
    const block = BLOCKS.findLast((size) => minute % size === 0 && minute + size - 1 <= last) ?? 1;
    facets.push(blockFacet(block, minute / block));
    minute += block;
  }
  return facets;
}
