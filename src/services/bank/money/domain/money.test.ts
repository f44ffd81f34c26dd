/** Amounts of currencies with no, two and three digits behind the point. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { AMOUNT_MAX_MINOR, amountText, readAmount } from "./money.ts";

it.each([
  ["12.30", "EUR", 1230],
  ["12.3", "EUR", 1230],
  ["12", "EUR", 1200],
  ["0.01", "EUR", 1],
  ["-0.01", "EUR", -1],
  ["0.00", "EUR", 0],
  ["-0", "EUR", 0],
  ["12.300000", "EUR", 1230],
  ["500", "JPY", 500],
  ["500.0", "JPY", 500],
  ["1.234", "KWD", 1234],
  ["10000000000.00", "EUR", AMOUNT_MAX_MINOR],
])("%s %s is %i", (value, currency, minor) => {
  expect(readAmount(value, currency)).toBe(minor);
});
it.each([
  ["12.345", "EUR"],
  ["0.5", "JPY"],
  ["1.2345", "KWD"],
  ["10000000000.01", "EUR"],
  ["", "EUR"],
  [".5", "EUR"],
  ["5.", "EUR"],
  ["1,00", "EUR"],
  ["1e3", "EUR"],
  ["+1", "EUR"],
  [" 1", "EUR"],
  ["١", "EUR"],
  ["99999999999999", "EUR"],
])("%j %s is no amount", (value, currency) => {
  expect(readAmount(value, currency)).toBeUndefined();
});
it("writes what it reads", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -AMOUNT_MAX_MINOR, max: AMOUNT_MAX_MINOR }),
      fc.constantFrom("EUR", "JPY", "KWD", "USD"),
      (minor, currency) => readAmount(amountText(minor, currency), currency) === minor,
    ),
  );
});
