import { expect, it } from "vitest";
import { Clock } from "#kernel/clock";
import { Breakers } from "./breakers.ts";

const BREAKERS_MAX = 10_000;
const clock = new Clock();
clock.freeze();
const rule = {
  failureCondition: { count: 1, interval: "PT1M", errorReasons: ["Server errors" as const] },
  tripDuration: "PT10S",
};

it("of very many breakers the latest used are kept", () => {
  const breakers = new Breakers(clock);
  const guardOf = (number: number) => {
    const id = `backend-${number}`;
    const url = new URL("http://backend.test");
    const guard = breakers.guardOf("owner", { id, version: "1", url, headers: [], query: [], rules: [rule] });
    if (!guard) throw new Error("a backend with rules has a breaker");
    return guard;
  };
  const trip = (number: number): void =>
    guardOf(number)
      .listening({ head: () => {}, data: () => true, end: () => {}, fail: () => {} })
      .head(503, []);
  for (let number = 0; number < BREAKERS_MAX; number += 1) trip(number);
  // All are there; the first is now the latest used.
  expect(guardOf(0).waitSeconds()).toBe(10);
  guardOf(BREAKERS_MAX);
  expect(guardOf(1).waitSeconds()).toBeUndefined();
  expect(guardOf(0).waitSeconds()).toBe(10);
});
