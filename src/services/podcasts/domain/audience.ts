/** Shares of a podcast's audience by region. */
import { pointsLeft } from "./search/heat.ts";

/** Points of the podcast's home country before the first request. */
const HOME_POINTS = 5;

/** Largest share first. Requests without a region are left out. Shares add up to 100, except for rounding. */
export function audienceOf(
  home: string,
  interest: readonly { readonly region: string; readonly heat: number }[],
  nowMs: number,
  halfLifeMs: number,
): { readonly region: string; readonly ratio: string }[] {
  const points = new Map<string, number>();
  if (home !== "") points.set(home, HOME_POINTS);
  for (const { region, heat } of interest)
    if (region !== "") points.set(region, (points.get(region) ?? 0) + pointsLeft(heat, nowMs, halfLifeMs));
  const all = [...points.values()].reduce((sum, one) => sum + one, 0);
  return [...points]
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .map(([region, count]) => ({ region, ratio: `${((100 * count) / all).toFixed(1)}%` }));
}
