/** Sections get the rights that the code in them shows, in images written for the purpose. */
import { describe, expect, it } from "vitest";
import { evidenceOf, partsOf } from "./rights.ts";

const BASE = 0x40_0000;
const PAGE = 0x1000;
const ENTRY = PAGE;
const PAGES = 5;

/** An image of zeros with bytes at some places. */
function imageOf(...pieces: readonly (readonly [at: number, bytes: readonly number[]])[]): Uint8Array {
  const image = new Uint8Array(PAGES * PAGE);
  for (const [at, bytes] of pieces) image.set(bytes, at);
  return image;
}
const long = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
const store = (place: number): number[] => [0x89, 0x0d, ...long(BASE + place)];
const load = (place: number): number[] => [0x8b, 0x0d, ...long(BASE + place)];
const compare = (place: number): number[] => [0x83, 0x3d, ...long(BASE + place), 0];
const call = (from: number, to: number): number[] => [0xe8, ...long(to - (from + 5))];
const rightsOf = (image: Uint8Array) =>
  partsOf(
    PAGE,
    (PAGES - 1) * PAGE,
    evidenceOf(image, { base: BASE, entryPoint: ENTRY, isWide: false, functions: new Set() }),
  ).map(({ address, rights }) => [address, rights]);

describe("a section with its entry point", () => {
  it("is code where nothing in it is written to", () => {
    expect(rightsOf(imageOf([ENTRY, [0x55, 0xc3]]))).toEqual([[PAGE, "code"]]);
  });
  it("is code and then data, from the first page behind its functions that is used as such", () => {
    const [function2, data] = [2 * PAGE, 3 * PAGE];
    const image = imageOf(
      [ENTRY, [...call(ENTRY, function2), ...load(data), ...store(4 * PAGE)]],
      [function2 - 1, [0xcc, 0x55]],
    );
    expect(rightsOf(image)).toEqual([
      [PAGE, "code"],
      [data, "data"],
    ]);
  });
  it("is both where what is written lies before a function", () => {
    const function3 = 3 * PAGE;
    const image = imageOf(
      [ENTRY, [...call(ENTRY, function3), ...store(2 * PAGE)]],
      [function3 - 1, [0xc3, 0x55]],
    );
    expect(rightsOf(image)).toEqual([[PAGE, "both"]]);
  });
  it("keeps data that is only read, unless zeros stand before it", () => {
    const image = imageOf([ENTRY, compare(2 * PAGE)], [2 * PAGE - 4, [1, 2, 3, 4]]);
    expect(rightsOf(image)).toEqual([[PAGE, "code"]]);
    expect(rightsOf(imageOf([ENTRY, compare(2 * PAGE)]))).toEqual([
      [PAGE, "code"],
      [2 * PAGE, "data"],
    ]);
  });
});

it("a section without a function is data, and numbers that look like calls are none", () => {
  const image = imageOf([ENTRY, [0xc3]], [3 * PAGE + 8, [1, 0xe8, 4, 0, 0, 0, 7, 7, 7, 7]]);
  expect(
    partsOf(
      3 * PAGE,
      PAGE,
      evidenceOf(image, { base: BASE, entryPoint: ENTRY, isWide: false, functions: new Set() }),
    ),
  ).toEqual([{ address: 3 * PAGE, rights: "data" }]);
});
