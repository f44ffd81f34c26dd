/** Generated numbers pass every check of their country. */
import fc from "fast-check";
import { isValidIBAN } from "ibantools";
import { expect, it } from "vitest";
import { COUNTRIES, makeIban, readIban } from "./iban.ts";

it.each(COUNTRIES)("%s", (country) => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{10}$/), (digits) => isValidIBAN(makeIban(country, digits))),
  );
});
it("reads them with spaces and in small letters, and nothing else", () => {
  expect(readIban("nl91 abna 0417 1643 00")).toBe("NL91ABNA0417164300");
  for (const text of ["NL92ABNA0417164300", "", "hello", "9".repeat(100)])
    expect(readIban(text)).toBeUndefined();
});
