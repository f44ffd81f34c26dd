/** How much of the traffic a node keeps for the live view. */
import { expect, it } from "vitest";
import type { Call } from "../domain/index.ts";
import { Traffic } from "./traffic.ts";

const call = { atMs: 0, method: "GET", url: "http://shop.example/a", status: 200, ms: 1, policies: [] };
const add = (traffic: Traffic, instance: string) => traffic.add(instance, call as unknown as Call, []);

it("200 calls of an instance, the latest", () => {
  const traffic = new Traffic();
  for (let made = 0; made < 200; made += 1) add(traffic, "a");
  expect(traffic.after("a", 0).map(({ number }) => number)).toHaveLength(200);
  add(traffic, "a");
  const kept = traffic.after("a", 0).map(({ number }) => number);
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([200, 2, 201]);
});
it("100 instances, the latest", () => {
  const traffic = new Traffic();
  const isKept = (instance: number) => traffic.after(`${instance}`, 0).length > 0;
  for (let instance = 0; instance < 100; instance += 1) add(traffic, `${instance}`);
  add(traffic, "0");
  expect([isKept(0), isKept(99)]).toEqual([true, true]);
  add(traffic, "100");
  expect([isKept(0), isKept(1), isKept(100)]).toEqual([false, true, true]);
});
