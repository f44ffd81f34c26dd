/** When the tail enters SQLite's full-text index. */
import { expect, it } from "vitest";
import { SearchTail } from "./search-tail.ts";

const asked = (tail: SearchTail, times: number, nowMs: number): boolean[] =>
  Array.from({ length: times }, () => tail.isToMove(nowMs));
const no = (times: number): boolean[] => Array.from({ length: times }, () => false);

it("moves at the first, at every 64th behind it, and when a minute is over", () => {
  const tail = new SearchTail();
  expect(tail.isToMove(0)).toBe(true);
  tail.noteMoved(0, false);
  expect(asked(tail, 64, 59_999)).toEqual([...no(63), true]);
  tail.noteMoved(59_999, false);
  expect(asked(tail, 1, 119_998)).toEqual([false]);
  expect(tail.isToMove(119_999)).toBe(true);
});
it("goes on at the next one while some are left, and after a move that came to nothing", () => {
  const tail = new SearchTail();
  tail.noteMoved(0, true);
  expect(asked(tail, 2, 1)).toEqual([true, true]);
  tail.noteMoved(1, false);
  expect(tail.isToMove(2)).toBe(false);
});
