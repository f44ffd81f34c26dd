/**
 * Counts with exponential decay, stored as logarithms. Decay never changes their order, so an index can
 * hold it.
 */

const MICRO = 1_000_000;

/** The heat of `points` at this time. */
export const heatOf = (points: number, atMs: number, halfLifeMs: number): number =>
  Math.round(MICRO * (Math.log2(points) + atMs / halfLifeMs));

/** The points that remain at this time. */
export const pointsLeft = (heat: number, atMs: number, halfLifeMs: number): number =>
  2 ** (heat / MICRO - atMs / halfLifeMs);

/** The heat after further points. */
export const heated = (heat: number | undefined, points: number, atMs: number, halfLifeMs: number): number =>
  heatOf((heat === undefined ? 0 : pointsLeft(heat, atMs, halfLifeMs)) + points, atMs, halfLifeMs);
