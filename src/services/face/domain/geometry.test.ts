/** Points, rectangles and descriptors. */
import { expect, it } from "vitest";
import { DESCRIPTOR_LENGTH, descriptorOf, textOf } from "./descriptor.ts";
import { midpointOf, overlapOf } from "./geometry.ts";

it("finds the middle of points", () => {
  const points = [
    { x: 0, y: 2 },
    { x: 4, y: 10 },
    { x: 8, y: 0 },
  ];
  expect(midpointOf(points)).toEqual({ x: 4, y: 4 });
});

it("tells how much rectangles share", () => {
  const one = { left: 0, top: 0, width: 4, height: 2 };
  expect(overlapOf(one, one)).toBe(1);
  expect(overlapOf(one, { ...one, left: 2 })).toBeCloseTo(1 / 3);
  expect(overlapOf(one, { left: 3, top: 1, width: 4, height: 2 })).toBeCloseTo(1 / 15);
  expect(overlapOf(one, { ...one, left: 4 })).toBe(0);
});

it("keeps all numbers of a descriptor, in 16 bits each", () => {
  const descriptor = Float32Array.from(
    { length: DESCRIPTOR_LENGTH },
    (_, at) => at / DESCRIPTOR_LENGTH - 0.5,
  );
  const read = descriptorOf(textOf(descriptor));
  expect(read).toHaveLength(DESCRIPTOR_LENGTH);
  for (const [at, value] of descriptor.entries()) expect(read[at]).toBeCloseTo(value, 4);
});
