import { expect, it } from "vitest";
import { nextOrder, ORDER_MAX, orderOf, orderRange } from "./order.ts";

/** The last second that has an order of its own, in February 2106. */
const LAST_MS = (2 ** 32 - 1) * 1000;
const isIn = (order: number, { first, last }: { first: number; last: number }): boolean =>
  order >= first && order <= last;

it("documents are ordered by second, up to the last one", () => {
  const at = (ms: number): number => orderOf(ms, "name");
  expect(at(LAST_MS)).toBeLessThan(at(LAST_MS - 1000));
  expect(at(LAST_MS + 1000)).toBe(at(LAST_MS));
  expect(at(LAST_MS - 1000)).toBeLessThanOrEqual(ORDER_MAX);
  expect([at(0), at(-1000)]).toEqual([at(0), at(0)]);
  expect(at(0)).toBeLessThanOrEqual(ORDER_MAX);
  expect(at(1000)).toBeLessThan(at(0));
});

it("a span contains its ends and nothing beyond, at the last second too", () => {
  for (const ms of [0, 1000, LAST_MS - 1000, LAST_MS]) {
    const order = orderOf(ms, "name");
    expect(isIn(order, orderRange(ms, ms))).toBe(true);
    expect(isIn(order, orderRange(ms + 1000, undefined))).toBe(false);
    if (ms > 0) expect(isIn(order, orderRange(undefined, ms - 1000))).toBe(false);
  }
  expect(orderRange(LAST_MS + 1, undefined).last).toBe(-1);
  expect(orderRange(undefined, -1).first).toBe(ORDER_MAX + 1);
});

it("the next order after a collision stays within the second", () => {
  const { first, last } = orderRange(LAST_MS, LAST_MS);
  expect([nextOrder(first), nextOrder(last)]).toEqual([first + 1, first]);
});
