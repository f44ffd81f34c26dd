/** Windows end, names do not count for each other, and memory stays bounded. */
import { expect, it } from "vitest";
import { RateCounter, rateLimitFor } from "./rate-limits.ts";

const LIMIT = { requests: 2, windowMs: 3000 };

it("counts each name by itself until its window ends", () => {
  const counter = new RateCounter();
  const asked = (name: string, atMs: number) => counter.count(name, LIMIT, atMs);
  expect([asked("a", 0), asked("a", 1000)].map(({ remaining }) => remaining)).toEqual([1, 0]);
  expect(asked("a", 2999)).toEqual({ remaining: 0, isOver: true, resetMs: 1 });
  expect([asked("b", 2999).isOver, asked("a", 3000).isOver]).toEqual([false, false]);
});

it("keeps what is running, and of very many the newest", () => {
  const counter = new RateCounter();
  for (let at = 0; at < 20_000; at += 1) counter.count(`caller ${at}`, LIMIT, 0);
  expect(counter.size).toBe(10_000);
  counter.count("later", LIMIT, 3000);
  expect(counter.size).toBe(1);
});

it("has the public numbers, times a factor", () => {
  const of = (method: string, times: number) => rateLimitFor("bank.X", method, times)?.requests;
  expect(["GET", "POST", "PUT", "DELETE"].map((method) => of(method, 1))).toEqual([3, 5, 2, 5]);
  expect([of("GET", 10), of("GET", 0)]).toEqual([30, undefined]);
  expect(rateLimitFor("bank.CreateSessionServer", "POST", 10)).toEqual({ requests: 10, windowMs: 30_000 });
});
