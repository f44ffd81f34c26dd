/** The order of values in tables of the console, and the range of timelines. */
import { expect, it } from "vitest";
import { fittingRange } from "../../console/parts/fitting-range.ts";
import { compareValues, isAmount } from "../../console/parts/values.ts";
import { wordsOf } from "../../console/words.ts";

const sorted = (...values: readonly unknown[]) => [...values].sort(compareValues);

it("sorts numbers by how much they are, not digit by digit", () => {
  expect(sorted(1.5, 12, 1.25, -3)).toEqual([-3, 1.25, 1.5, 12]);
});
it("sorts sizes, spans and shares by how much they are", () => {
  expect(sorted("2 MB", "12.5 KB", "900 B", "1.1 GB")).toEqual(["900 B", "12.5 KB", "2 MB", "1.1 GB"]);
  expect(sorted("1 min", "15 ms", "2.5 s")).toEqual(["15 ms", "2.5 s", "1 min"]);
  expect(sorted("100 %", "7 %")).toEqual(["7 %", "100 %"]);
});
it("sorts money by how much it is, and knows amounts from names", () => {
  expect(sorted("10,578.43 EUR", "-2.00 EUR", "500.00 EUR")).toEqual([
    "-2.00 EUR",
    "500.00 EUR",
    "10,578.43 EUR",
  ]);
  expect([12, "3.4 KB", "500.00 EUR"].map(isAmount)).toEqual([true, true, true]);
  expect(["7 %", "order 7", "", null].map(isAmount)).toEqual([false, false, false, false]);
});
it("writes constants as words, and keeps abbreviations", () => {
  expect(["IN_PROGRESS", "DedicatedHsm", "https", "Group", "AWAITING_REPLY"].map(wordsOf)).toEqual([
    "In progress",
    "Dedicated HSM",
    "HTTPS",
    "Group",
    "Awaiting reply",
  ]);
});
it("sorts everything else as people do, and what is not there first", () => {
  expect(sorted("run-10", null, "run-9", "Anna")).toEqual([null, "Anna", "run-9", "run-10"]);
});

const DAY = 86_400_000;
it("a timeline shows all events, unless a few lie so far away that they squeeze the others", () => {
  const hours = Array.from({ length: 10 }, (_, index) => index * 3_600_000);
  const shown = { from: 0, until: 9 * 3_600_000 };
  expect(fittingRange([...hours, 1000 * DAY])).toEqual(shown);
  expect(fittingRange([-500 * DAY, ...hours.toReversed(), 1000 * DAY])).toEqual(shown);
  expect(fittingRange([...hours, DAY])).toEqual({ from: 0, until: DAY });
  // One by one, each of these is not far from the one before it.
  const seconds = Array.from({ length: 20 }, (_, index) => index * 1000);
  expect(fittingRange([...seconds, DAY / 4, 1.4 * DAY, 12 * DAY, 34 * DAY]).until).toBe(DAY / 4);
  // Too many to be left out.
  expect(fittingRange([...hours, ...[1, 2, 3].map((days) => days * 100 * DAY)]).until).toBe(300 * DAY);
  expect(fittingRange([0, 1, 1000])).toEqual({ from: 0, until: 1000 });
  expect(fittingRange([5, 5, 5, 5, 5, 9])).toEqual({ from: 5, until: 9 });
  expect(fittingRange([5])).toEqual({ from: 5, until: 5 });
});
