/** The size of drawings: the largest of each zoom, and what is larger. */
import { expect, it } from "vitest";
import { PictureTooLargeError, zoomFor } from "./drawing.ts";

it("drawings have 16 million pixels at the most, 16,000 on a side", () => {
  expect(zoomFor({ width: 2000, height: 2000 })).toBe(2);
  expect(zoomFor({ width: 2000, height: 2001 })).toBe(1);
  expect(zoomFor({ width: 4000, height: 4000 })).toBe(1);
  expect(() => zoomFor({ width: 4000, height: 4001 })).toThrow(PictureTooLargeError);
  expect(zoomFor({ width: 8000, height: 9 })).toBe(2);
  expect(zoomFor({ width: 9, height: 8001 })).toBe(1);
  expect(zoomFor({ width: 16_000, height: 9 })).toBe(1);
  expect(() => zoomFor({ width: 9, height: 16_001 })).toThrow(PictureTooLargeError);
});
