/** OAuth parameters: the longest that is taken, and one that is longer. */
import { expect, it } from "vitest";
import { readParameters } from "./parameters.ts";

it("a parameter has 4096 characters", () => {
  const state = "s".repeat(4096);
  expect(readParameters({ state })).toEqual({ parameters: { state }, problem: undefined });
  expect(readParameters({ state: `${state}s` })).toEqual({
    parameters: {},
    problem: "state is longer than 4096 characters.",
  });
});
