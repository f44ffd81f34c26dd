/** Geohashes and the middle of their cells. */
import { expect, it } from "vitest";
import { findCells, geohashOf, middleOf } from "./globe.ts";

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

it("covers a circle with forty cells at the most, of the smallest that do", () => {
  const lengthsFor = (degrees: number) => {
    const cells = findCells({ latitude: 0.001, longitude: 0.001 }, degrees * 111.195) ?? [];
    return [...new Set(cells.map(({ length }) => length))];
  };
  // Cells of six letters: 8 rows of 5 cells, then 9 rows of 5.
  const height = 180 / 2 ** 15;
  expect([lengthsFor(3.4 * height), lengthsFor(3.6 * height)]).toEqual([[6], [5]]);
  // No rows and columns make 41 cells. Cells of five letters: 6 rows of 6 cells, then 6 rows of 7.
  const square = 180 / 2 ** 12;
  const wide = (latitude: number) =>
    findCells({ latitude, longitude: 0.001 }, 2.4 * square * 111.195)?.every(({ length }) => length === 5);
  expect([wide(0.001), wide(40)]).toEqual([true, false]);
  // The whole globe: 5 rows of 8 cells of one letter, some of them twice.
  expect(findCells({ latitude: 0, longitude: 0 }, 20_000)).toHaveLength(32);
});
