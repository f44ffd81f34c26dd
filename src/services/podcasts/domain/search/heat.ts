/** Counts that fade, kept as logarithms: their order never changes by itself, so an index can keep it. */

const MICRO = 1_000_000;

/** What `points` are as heat at that moment. */
export const heatOf = (points: number, atMs: number, halfLifeMs: number): number =>
  Math.round(MICRO * (Math.log2(points) + atMs / halfLifeMs));

/** What is left of it at that moment. */
export const pointsLeft = (heat: number, atMs: number, halfLifeMs: number): number =>
  2 ** (heat / MICRO - atMs / halfLifeMs);

/** The heat with further points. */
export const heated = (heat: number | undefined, points: number, atMs: number, halfLifeMs: number): number =>
  heatOf((heat === undefined ? 0 : pointsLeft(heat, atMs, halfLifeMs)) + points, atMs, halfLifeMs);
