/** Requests are divided exactly, whatever the percentages. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { TrafficSplit } from "./traffic-split.ts";

const take = (split: TrafficSplit, count: number): string[] =>
  Array.from({ length: count }, () => split.next());

it("spreads the smaller part evenly among the larger", () => {
  const split = new TrafficSplit(
    new Map([
      ["a", 75],
      ["b", 25],
    ]),
  );
  expect(take(split, 8).join("")).toBe("aabaaaba");
});
it("gives each its percentage of any hundred", () => {
  const shares = fc
    .array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 7 })
    .map((cuts) => [...new Set([0, ...cuts, 100])].sort((left, right) => left - right))
    .map((cuts) => cuts.slice(1).map((cut, index) => cut - (cuts[index] ?? 0)));
  fc.assert(
    fc.property(shares, fc.nat(300), (percents, skipped) => {
      const split = new TrafficSplit(new Map(percents.map((percent, index) => [String(index), percent])));
      take(split, skipped);
      const taken = take(split, 100);
      expect(percents.map((_percent, index) => taken.filter((one) => one === String(index)).length)).toEqual(
        percents,
      );
    }),
  );
});
