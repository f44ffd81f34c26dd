/** Which of many faces are told of. */
import { expect, it } from "vitest";
import { largestOf } from "./detection.ts";

it("the hundred largest faces", () => {
  const sidesOf = (count: number) => {
    const boxes = Array.from({ length: count }, (_, side) => ({
      ...{ left: 5, top: 5, right: 6 + side, bottom: 6 + side },
      score: 1,
    }));
    return largestOf(boxes).map(({ left, right }) => right - left);
  };
  expect([sidesOf(100).length, sidesOf(100)[99]]).toEqual([100, 1]);
  expect([sidesOf(101).length, sidesOf(101)[0], sidesOf(101)[99]]).toEqual([100, 101, 2]);
});
