/** Shares of the regions from which a podcast is asked for. */
import { pointsLeft } from "./search/heat.ts";

/** What a podcast's own place counts before anybody has asked. */
const HOME_POINTS = 5;

/** The largest first; requests from nowhere in particular are left out, and shares come to 100 but for rounding. */
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
