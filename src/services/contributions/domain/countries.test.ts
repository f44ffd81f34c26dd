/** The position of a country that is named instead of a place. */
import { expect, it } from "vitest";
import { findCountryAt, findMiddleOfCountry } from "./countries.ts";

it.each(["NO", "CA", "RU", "FR", "ID", "NZ", "US"])("the middle of %s lies in it", (code) => {
  const middle = findMiddleOfCountry(code);
  expect(middle && findCountryAt(middle)).toBe(code);
});
it.each([
  ["FR", 46, 2],
  ["GB", 53, -2],
  ["PT", 39, -9],
  ["DK", 56, 10],
  ["NZ", -43, 171],
  ["RU", 65, 121],
])("the middle of %s is in its main part, not between its islands", (code, latitude, longitude) => {
  const middle = findMiddleOfCountry(code);
  expect(Math.abs((middle?.latitude ?? 0) - latitude)).toBeLessThan(1);
  expect(Math.abs((middle?.longitude ?? 0) - longitude)).toBeLessThan(1);
});
it("is that of the largest piece of land, not of the one that has most degrees", () => {
  expect(findMiddleOfCountry("NO")?.latitude).toBeLessThan(70);
});
