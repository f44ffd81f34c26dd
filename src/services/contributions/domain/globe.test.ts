/** Geohashes and the middle of their cells. */
import { expect, it } from "vitest";
import { geohashOf, middleOf } from "./globe.ts";

it("knows published geohashes", () => {
  expect(geohashOf({ latitude: 57.64911, longitude: 10.40744 }, 11)).toBe("u4pruydqqvj");
  expect(geohashOf({ latitude: -25.382708, longitude: -49.265506 }, 8)).toBe("6gkzwgjz");
});

it("finds the middle of a cell", () => {
  expect(middleOf("s")).toEqual({ latitude: 22.5, longitude: 22.5 });
  expect(middleOf("0")).toEqual({ latitude: -67.5, longitude: -157.5 });
  expect(middleOf("7z")).toEqual({ latitude: -2.8125, longitude: -5.625 });
  for (const hash of ["u4pruydqqvj", "6gkzwgjz", "ezs42"])
    expect(geohashOf(middleOf(hash), hash.length)).toBe(hash);
});
