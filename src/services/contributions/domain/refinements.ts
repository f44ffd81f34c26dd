/** The refinements of a list of contributions. */
export const REFINEMENTS = [
  "assignment",
  "country",
  "createdDay",
  "createdMonth",
  "geohash",
  "hasLocation",
  "mediaType",
  "ownedBy",
  "tag",
  "user",
] as const;
export type Refinement = (typeof REFINEMENTS)[number];
export const isRefinement = (name: string): name is Refinement =>
  (REFINEMENTS as readonly string[]).includes(name);

/** Geohashes are counted in cells of about 150 kilometres. */
export const REFINED_GEOHASH_LENGTH = 3;
export type Option = { readonly value: string; readonly count: number };
