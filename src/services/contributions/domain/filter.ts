/** The filters that lists, refinements, summaries and exports of contributions share. */

export type Circle = {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusKilometres: number;
};
/** All given filters must match. */
export type Filter = {
  readonly assignment?: string;
  readonly country?: string;
  /** Exclusive. */
  readonly createdBeforeMs?: number;
  /** Inclusive. `createdAfter` is exclusive, but the first instant of a day is included. */
  readonly createdFromMs?: number;
  /** The public geohash must have one of these prefixes. */
  readonly geohashes?: readonly string[];
  readonly hasLocation?: boolean;
  readonly circle?: Circle;
  readonly mediaType?: "image" | "video";
  readonly ownedBy?: string;
  /** Each word must be a prefix of a word in the headline. */
  readonly q?: string;
  readonly urlWords?: string;
  readonly user?: string;
  readonly ids?: readonly string[];
  /** All of these. */
  readonly tags?: readonly string[];
  /** For owners and moderators. */
  readonly state?: string;
};
