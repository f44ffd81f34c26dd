/** Rights on shared accounts. */
import { expect, it } from "vitest";
import { ACCESS_TYPES, allows, isRunning } from "./rights.ts";

it.each([
  [null, null, true],
  [100, null, true],
  [101, null, false],
  [null, 101, true],
  [null, 100, false],
  [50, 150, true],
])("a share from %s to %s is running at 100: %s", (starts_at, ends_at, isOn) =>
  expect(isRunning({ starts_at, ends_at }, 100)).toBe(isOn),
);
it("has no share before the beginning of time", () =>
  expect(isRunning({ starts_at: null, ends_at: null }, -1)).toBe(false));

it("includes the smaller rights", () => {
  const rights = ["view", "history", "draft", "pay", "own"] as const;
  const allowed = ACCESS_TYPES.map((access) => rights.filter((right) => allows(access, right)).length);
  expect(allowed).toEqual([1, 2, 3, 4]);
  expect(allows("NONE", "view")).toBe(false);
});
