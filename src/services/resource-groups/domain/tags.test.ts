import { expect, it } from "vitest";
import { checkTagKey, checkTags } from "./tags.ts";

const tags = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, "v"]));

it.each<[string, number, (size: number) => unknown]>([
  ["tags", 50, (size) => checkTags(tags(size))],
  ["letters of a key", 128, (size) => checkTagKey("k".repeat(size))],
  ["letters of a value", 256, (size) => checkTags({ k: "v".repeat(size) })],
])("%s: %i at the most", (_what, most, check) => {
  expect(() => check(most)).not.toThrow();
  expect(() => check(most + 1)).toThrow();
});
