import { expect, it } from "vitest";
import { webAddress } from "./addresses.ts";

const ADDRESS_MAX = 2000;

it("addresses have two thousand characters at the most, as written and as they are read", () => {
  const START = "https://example.org/";
  const address = (length: number): string => START.padEnd(length, "x");
  expect(ADDRESS_MAX).toBe(2000);
  expect(webAddress(address(2000))).toBe(address(2000));
  expect(webAddress(address(2001))).toBe("");
  // A space becomes three characters.
  expect(webAddress(`${address(1996)} x`)).toBe(`${address(1996)}%20x`);
  expect(webAddress(`${address(1997)} x`)).toBe("");
  expect(webAddress("x".repeat(2000 - START.length), START)).toHaveLength(2000);
  expect(webAddress("x".repeat(2001 - START.length), START)).toBe("");
});
