/** Instants are written as the language itself writes them, and read without its liberties. */
import { describe, expect, it } from "vitest";
import { isoOf, parseInstant } from "./clock.ts";

it("writes every instant as toISOString does", () => {
  const instants = [
    0, 1, 999, 1000, 86_399_999, 86_400_000, 951_782_400_000, 1_700_000_000_123.7, -1, -62_198_755_200_000,
    253_402_300_799_999, 253_402_300_800_000,
  ];
  for (let at = 1_709_164_799_000; at < 1_709_300_000_000; at += 7_654_321) instants.push(at);
  expect(instants.map(isoOf)).toEqual(instants.map((ms) => new Date(ms).toISOString()));
});

it("refuses what is no instant", () => {
  expect(() => isoOf(Number.NaN)).toThrow(RangeError);
});

describe("what is read", () => {
  it.each([
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2024-02-29T10:00:00", "2024-02-29T10:00:00.000Z"],
    ["2024-02-29 10:00", "2024-02-29T10:00:00.000Z"],
    ["2024-02-29T10:00:00.5+05:30", "2024-02-29T04:30:00.500Z"],
    ["2000-02-29T23:59:59Z", "2000-02-29T23:59:59.000Z"],
    ["Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.000Z"],
  ])("%s", (text, iso) => {
    const zone = process.env.TZ;
    process.env.TZ = "Asia/Tokyo";
    try {
      expect(isoOf(parseInstant(text) ?? Number.NaN)).toBe(iso);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });
  it.each([
    "2023-02-29",
    "1900-02-29",
    "2024-02-30T00:00:00Z",
    "2024-04-31T00:00:00+02:00",
    "2024-13-01",
    "soon",
  ])("not %s", (text) => expect(parseInstant(text)).toBeUndefined());
});
