/** How much a filter may name: the last that is taken, and the first that is not. */
import { expect, it } from "vitest";
import { readFilter } from "./filter.ts";

it.each(["ids", "tags"])("a hundred %s", (name) => {
  const named = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`).join(",");
  expect(readFilter({ [name]: named(100) })).toMatchObject({ [name]: { length: 100 } });
  expect(() => readFilter({ [name]: named(101) })).toThrow(`${name} names 100 at the most.`);
});
