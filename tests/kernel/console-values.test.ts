/** The order of values in tables of the console. */
import { expect, it } from "vitest";
import { compareValues } from "../../console/parts/values.ts";

const sorted = (...values: readonly unknown[]) => [...values].sort(compareValues);

it("sorts numbers by how much they are, not digit by digit", () => {
  expect(sorted(1.5, 12, 1.25, -3)).toEqual([-3, 1.25, 1.5, 12]);
});
it("sorts sizes, spans and shares by how much they are", () => {
  expect(sorted("2 MB", "12.5 KB", "900 B", "1.1 GB")).toEqual(["900 B", "12.5 KB", "2 MB", "1.1 GB"]);
  expect(sorted("1 min", "15 ms", "2.5 s")).toEqual(["15 ms", "2.5 s", "1 min"]);
  expect(sorted("100 %", "7 %")).toEqual(["7 %", "100 %"]);
});
it("sorts everything else as people do, and what is not there first", () => {
  expect(sorted("run-10", null, "run-9", "Anna")).toEqual([null, "Anna", "run-9", "run-10"]);
});
