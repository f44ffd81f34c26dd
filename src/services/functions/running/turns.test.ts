/** Requests are divided exactly, whatever the percentages. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

const take = (turns: Turns, count: number): string[] => Array.from({ length: count }, () => turns.next());

it("spreads the smaller part evenly among the larger", () => {
  const turns = new Turns(
    new Map([
      ["a", 75],
      ["b", 25],
    ]),
  );
  expect(take(turns, 8).join("")).toBe("aabaaaba");
});
it("gives each its percentage of any hundred", () => {
  const shares = fc
    .array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 7 })
    .map((cuts) => [...new Set([0, ...cuts, 100])].sort((left, right) => left - right))
    .map((cuts) => cuts.slice(1).map((cut, index) => cut - (cuts[index] ?? 0)));
  fc.assert(
    fc.property(shares, fc.nat(300), (percents, skipped) => {
      const turns = new Turns(new Map(percents.map((percent, index) => [String(index), percent])));
      take(turns, skipped);
      const taken = take(turns, 100);
      expect(percents.map((_percent, index) => taken.filter((one) => one === String(index)).length)).toEqual(
        percents,
      );
    }),
  );
});
