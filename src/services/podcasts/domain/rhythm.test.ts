/** Weeks begin with their Monday, and each of them is there. */
import { expect, it } from "vitest";
import { countByWeek } from "./rhythm.ts";

const at = (text: string): number => Date.parse(text);
const shown = (dates: readonly string[], now: string, weeks: number) =>
  countByWeek(dates.map(at), at(now), weeks).map(({ mondayMs, count }) => [
    new Date(mondayMs).toISOString().slice(0, 10),
    count,
  ]);

it("counts by week, from Monday to Sunday", () => {
  const dates = [
    "2026-11-16T00:00:00Z",
    "2026-11-15T23:59:59.999Z",
    "2026-11-09T00:00:00Z",
    "2026-10-26T12:00:00Z",
  ];
  expect(shown(dates, "2026-11-17T12:00:00Z", 4)).toEqual([
    ["2026-10-26", 1],
    ["2026-11-02", 0],
    ["2026-11-09", 2],
    ["2026-11-16", 1],
  ]);
});

it("leaves out what is earlier or later than the weeks that are shown", () => {
  expect(shown(["2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"], "2026-11-17T12:00:00Z", 1)).toEqual([
    ["2026-11-16", 0],
  ]);
});
