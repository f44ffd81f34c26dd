/** The filter set that lists, refinements, summaries and exports of contributions share. */

export type Circle = {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusKilometres: number;
};
/** All that are given must hold. */
export type Filter = {
  readonly assignment?: string;
  readonly country?: string;
  /** Exclusive. */
  readonly createdBeforeMs?: number;
  /** Inclusive; `createdAfter` itself is exclusive and a day's first instant is not. */
  readonly createdFromMs?: number;
  /** One of these must be the beginning of the visible geohash. */
  readonly geohashes?: readonly string[];
  readonly hasLocation?: boolean;
  readonly circle?: Circle;
  readonly mediaType?: "image" | "video";
  readonly ownedBy?: string;
  /** Each word must begin a word of the headline. */
  readonly q?: string;
  readonly urlWords?: string;
  readonly user?: string;
  readonly ids?: readonly string[];
  /** All of these. */
  readonly tags?: readonly string[];
  /** For owners and moderators. */
  readonly state?: string;
};
