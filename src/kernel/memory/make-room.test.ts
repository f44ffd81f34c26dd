import { expect, it } from "vitest";
import { makeRoom } from "./index.ts";

const numbersBelow = (end: number, start = 0): number[] =>
  Array.from({ length: end - start }, (_, index) => start + index);

it("deletes the oldest entries of a full map, and none of another", () => {
  const map = new Map(numbersBelow(31).map((key) => [key, key]));
  makeRoom(map, 32);
  expect([...map.keys()]).toEqual(numbersBelow(31));
  map.set(31, 31);
  makeRoom(map, 32);
  expect([...map.keys()]).toEqual(numbersBelow(32, 2));
  const set = new Set([1, 2, 3]);
  makeRoom(set, 3);
  expect([...set]).toEqual([2, 3]);
  makeRoom(set, 1);
  expect([...set]).toEqual([]);
});
