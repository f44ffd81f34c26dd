/** Shares of slots, by kind of work and by account. */
import { expect, it } from "vitest";
import { SHARE_MAX, SLOTS_MAX, Slots } from "./slots.ts";

const slots = () => new Slots((name) => ({ slow: name.startsWith("slow"), alone: name.startsWith("alone") }));
const many = (count: number, name: string, account = "a") =>
  Array.from({ length: count }, () => ({ name, account }));
const takeAll = (into: Slots, work: readonly { name: string; account: string }[]) => {
  for (const one of work) into.take(one);
};

it("leaves quick slots to other names", () => {
  const chosen = slots().choose([...many(40, "quick"), ...many(40, "other")]);
  expect(chosen.filter(({ name }) => name === "quick")).toHaveLength(SHARE_MAX);
  expect(chosen).toHaveLength(SLOTS_MAX);
});

it("gives every name of slow work slots of its own, and takes none of the quick ones for it", () => {
  const mine = slots();
  takeAll(mine, [...many(SHARE_MAX, "slow-1"), ...many(SHARE_MAX, "slow-1", "b")]);
  expect(mine.lanesOf(["quick", "slow-1", "slow-2"])).toEqual([
    { name: "quick", full: [] },
    { name: "slow-2", full: [] },
  ]);
});

it("leaves a name's slow slots to other accounts, and keeps the order of what is due", () => {
  const mine = slots();
  const due = [...many(40, "slow"), ...many(10, "slow", "b")];
  const first = mine.choose(due);
  expect(first).toEqual([...many(SHARE_MAX, "slow"), ...many(SLOTS_MAX - SHARE_MAX, "slow", "b")]);
  takeAll(mine, many(SHARE_MAX, "slow"));
  expect(mine.lanesOf(["slow"])).toEqual([{ name: "slow", full: ["a"] }]);
});

it("tells whether a slot that falls free was wanted", () => {
  const mine = slots();
  takeAll(mine, many(SHARE_MAX, "slow"));
  expect(mine.release({ name: "slow", account: "a" })).toBe(true);
  expect(mine.release({ name: "slow", account: "a" })).toBe(false);
  expect(mine.lanesOf(["slow"])).toEqual([{ name: "slow", full: [] }]);
});

it("runs work that is to be alone one at a time for each account", () => {
  const mine = slots();
  const due = [...many(3, "alone"), ...many(2, "alone", "b"), ...many(1, "quick")];
  expect(mine.choose(due)).toEqual([...many(1, "alone"), ...many(1, "alone", "b"), ...many(1, "quick")]);
  takeAll(mine, many(1, "alone"));
  expect(mine.lanesOf(["alone"])).toEqual([{ name: "alone", full: ["a"] }]);
  expect(mine.release({ name: "alone", account: "a" })).toBe(true);
});
