/** What an export may contain after roles have changed since its request. */
import { expect, it } from "vitest";
import { narrowed, type Sight } from "./access.ts";

const sightOf = (moderated: string[], gone: string[] = [], hidden: string[] = []): Sight => ({
  everything: false,
  userId: "usr_1",
  moderatedAssignments: moderated,
  goneAssignments: gone,
  hiddenAssignments: hidden,
});

it("takes away what somebody moderates no more, and what has gone or was hidden since then", () => {
  expect(narrowed(sightOf(["a", "b"]), sightOf(["b"], ["c"], ["d"]))).toEqual(sightOf(["b"], ["c"], ["d"]));
});
it("adds nothing that somebody has come to moderate since then", () => {
  expect(narrowed(sightOf(["a"]), sightOf(["a", "b"]))).toEqual(sightOf(["a"]));
});
it("leaves an account everything but what has gone", () => {
  const now: Sight = { everything: true, goneAssignments: ["c"] };
  expect(narrowed({ everything: true, goneAssignments: [] }, now)).toEqual(now);
});
