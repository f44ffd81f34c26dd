/** The position of a country that is named instead of a place. */
import { expect, it } from "vitest";
import { findCountryAt, findMiddleOfCountry } from "./countries.ts";

it.each(["NO", "CA", "RU", "FR", "ID", "NZ", "US"])("the middle of %s lies in it", (code) => {
  const middle = findMiddleOfCountry(code);
  expect(middle && findCountryAt(middle)).toBe(code);
});
it("is that of the largest piece of land, not of the one that has most degrees", () => {
  expect(findMiddleOfCountry("NO")?.latitude).toBeLessThan(70);
});
