/** Floods from very many names push the oldest counts out, and no others. */
import { expect, it } from "vitest";
import { Attempts } from "./attempts.ts";

const KEPT = 50_000;

it("counts for fifty thousand names, and forgets the oldest then", () => {
  const attempts = new Attempts();
  for (let name = 0; name < KEPT; name += 1) attempts.count(`name ${name}`);
  const isCounted = (name: number) => attempts.isExhausted(`name ${name}`, 1);
  expect([isCounted(0), isCounted(KEPT - 1), isCounted(KEPT)]).toEqual([true, true, false]);
  attempts.count("one more");
  expect([isCounted(0), isCounted(KEPT - 1)]).toEqual([false, true]);
});
