/** Instants are written as the language itself writes them. */
import { expect, it } from "vitest";
import { isoOf } from "./clock.ts";

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
