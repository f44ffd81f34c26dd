/**
 * Immutable properties of a contribution as words of the full-text index, so that one lookup answers several
 * filters.
 */
import type { Filter } from "./filter.ts";
import { CELL_LENGTH_MAX, findCells } from "./globe.ts";

export const ANYTHING = "_";
const LOCATED = "_g";
const IMAGE = "_i";
const VIDEO = "_v";
const assignmentFacet = (id: string): string => `_a${id}`;
const ownerFacet = (id: string): string => `_o${id}`;
const userFacet = (id: string): string => `_u${id}`;
const countryFacet = (code: string): string => `_c${code.toLowerCase()}`;
const TAG = "_t";
const tagFacet = (id: string): string => `${TAG}${id}`;
const cellFacet = (geohash: string): string => `_g${geohash.slice(0, CELL_LENGTH_MAX)}`;

export type Faceted = {
  readonly assignmentId: string;
  readonly ownerId: string;
  readonly userId: string | undefined;
  readonly country: string | undefined;
  readonly geohash: string | undefined;
  readonly images: number;
  readonly videos: number;
  readonly tagIds: readonly string[];
};
export function facetsOf(one: Faceted): string[] {
  const facets = [ANYTHING, assignmentFacet(one.assignmentId), ownerFacet(one.ownerId)];
  if (one.userId !== undefined) facets.push(userFacet(one.userId));
  if (one.country !== undefined) facets.push(countryFacet(one.country));
  if (one.images > 0) facets.push(IMAGE);
  if (one.videos > 0) facets.push(VIDEO);
  facets.push(...one.tagIds.map(tagFacet));
  if (one.geohash !== undefined)
    for (let length = 0; length <= Math.min(CELL_LENGTH_MAX, one.geohash.length); length += 1)
      facets.push(cellFacet(one.geohash.slice(0, length)));
  return facets;
}

/** A word in the facets of every row with tags, and of no other. */
export const HAS_TAGS = ` ${TAG}`;
export const tagIdsOf = (facets: string): string[] =>
  facets.split(" ").flatMap((facet) => (facet.startsWith(TAG) ? facet.slice(TAG.length) : []));

/** One of each group in `all` must be present, and nothing of `none`. */
export type FacetQuery = { readonly all: readonly (readonly string[])[]; readonly none: readonly string[] };

export function facetQueryOf(filter: Filter): FacetQuery {
  const all: string[][] = [];
  const { assignment, ownedBy, user, country, mediaType, tags = [], geohashes, circle, hasLocation } = filter;
  if (assignment !== undefined) all.push([assignmentFacet(assignment)]);
  if (ownedBy !== undefined) all.push([ownerFacet(ownedBy)]);
  if (user !== undefined) all.push([userFacet(user)]);
  if (country !== undefined) all.push([countryFacet(country)]);
  if (mediaType !== undefined) all.push([mediaType === "image" ? IMAGE : VIDEO]);
  all.push(...tags.map((tag) => [tagFacet(tag)]));
  if (geohashes !== undefined) all.push(geohashes.map(cellFacet));
  if (circle !== undefined) all.push(findCells(circle, circle.radiusKilometres)?.map(cellFacet) ?? [LOCATED]);
  if (hasLocation === true) all.push([LOCATED]);
  return { all, none: hasLocation === false ? [LOCATED] : [] };
}
