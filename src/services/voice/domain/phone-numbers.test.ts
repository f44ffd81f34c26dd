/** Telephone numbers as people write them. */
import { describe, expect, it } from "vitest";
import { parseTelephone } from "./phone-numbers.ts";

describe("a telephone number", () => {
  it.each([
    ["+12065550142", "+12065550142", "US"],
    ["12065550142", "+12065550142", "US"],
    [" +1 (206) 555-0142 ", "+12065550142", "US"],
    ["tel:+1-206-555-0142", "+12065550142", "US"],
    ["+1.206.555.0142", "+12065550142", "US"],
    ["+44 20 7946 0000", "+442079460000", "GB"],
    ["+49 30 901820", "+4930901820", "DE"],
    ["+800 1234 5678", "+80012345678", undefined],
  ])("%j is %s", (text, e164, country) => {
    expect(parseTelephone(text, "It")).toEqual({ e164, ...(country && { country }) });
  });
  it.each([
    ["", /not a valid/],
    ["5550142", /not a valid/],
    ["+1206555", /not a valid/],
    ["+911", /not a valid/],
    ["0049 30 901820", /not a valid/],
    ["call +12065550142", /not a valid/],
    ["+12065550142\r\nVia: x", /not a valid/],
    [`+${"1".repeat(10_000)}`, /not a valid/],
    ["+12065550142;ext=7", /extension/],
    ["+19005550142", /premium-rate/],
  ])("%j is refused", (text, message) => {
    expect(() => parseTelephone(text, "It")).toThrow(message);
  });
});

it("a telephone number is written in forty characters at the most", () => {
  const written = (length: number) => `+1${"-".repeat(length - 12)}2065550142`;
  expect(parseTelephone(written(40), "It").e164).toBe("+12065550142");
  expect(() => parseTelephone(written(41), "It")).toThrow(/not a valid/);
});
