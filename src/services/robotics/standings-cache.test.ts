/** Standings that are kept while callers page. */
import { expect, it } from "vitest";
import { PageReadings, StandingsCache } from "./standings-cache.ts";

const standings = { second: 1, ranks: [] };
const BEGUN_MS = 1000;

it("a thousand callers page at the same time; one more ends the longest", () => {
  const readings = new PageReadings();
  for (let caller = 1; caller <= 1000; caller += 1) readings.begin(`c${caller}`, standings, BEGUN_MS);
  expect(readings.find("c1", BEGUN_MS)).toBe(standings);
  readings.begin("c1001", standings, BEGUN_MS);
  expect([1, 2, 1001].map((caller) => readings.find(`c${caller}`, BEGUN_MS))).toEqual([
    undefined,
    standings,
    standings,
  ]);
});

it("a caller has five minutes for the next page", () => {
  const readings = new PageReadings();
  readings.begin("c", standings, BEGUN_MS);
  expect(readings.find("c", BEGUN_MS + 299_999)).toBe(standings);
  expect(readings.find("c", BEGUN_MS + 300_000)).toBeUndefined();
});

it("the standings of two hundred districts are kept", () => {
  const cache = new StandingsCache();
  for (let district = 1; district <= 200; district += 1) cache.keep(`d${district}`, 1, []);
  expect(cache.find("d1", 1)).toEqual({ second: 1, ranks: [] });
  cache.keep("d201", 1, []);
  expect(cache.find("d1", 1)).toBeUndefined();
  expect(cache.find("d201", 1)).toEqual({ second: 1, ranks: [] });
});
