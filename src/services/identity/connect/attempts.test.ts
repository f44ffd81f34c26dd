/** Floods are stopped. Floods from very many names push the oldest counts out, and no others. */
import { expect, it } from "vitest";
import { Attempts } from "./attempts.ts";

const KEPT = 50_000;
const PER_MINUTE = 6000;

const taken = (attempts: Attempts, name: string, count: number): number =>
  Array.from({ length: count }, () => attempts.take(name)).filter(Boolean).length;

it("a name has six thousand attempts in a minute", () => {
  const attempts = new Attempts();
  expect(taken(attempts, "one", PER_MINUTE + 1)).toBe(PER_MINUTE);
  expect(attempts.take("another")).toBe(true);
});

it("counts for fifty thousand names, and forgets the oldest then", () => {
  const attempts = new Attempts();
  const nameOf = (number: number) => `name ${number}`;
  taken(attempts, nameOf(0), PER_MINUTE);
  for (let number = 1; number < KEPT - 1; number += 1) attempts.take(nameOf(number));
  taken(attempts, nameOf(KEPT - 1), PER_MINUTE);
  expect([attempts.take(nameOf(0)), attempts.take(nameOf(KEPT - 1))]).toEqual([false, false]);
  attempts.take("one more");
  expect([attempts.take(nameOf(KEPT - 1)), attempts.take(nameOf(0))]).toEqual([false, true]);
});
