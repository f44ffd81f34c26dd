import { expect, it } from "vitest";
import { convert, crossRate, readRate } from "./rates.ts";

it("turns sums between currencies of none, two and three digits, down for who gets and up for who pays", () => {
  const rates = { from: "1", to: "178" };
  expect(convert({ minor: 1001, currency: "EUR" }, "JPY", rates, "down")).toEqual({
    minor: 1781,
    currency: "JPY",
  });
  expect(convert({ minor: 1001, currency: "EUR" }, "JPY", rates, "up")).toEqual({
    minor: 1782,
    currency: "JPY",
  });
  const back = { from: "178", to: "1" };
  expect(convert({ minor: 178, currency: "JPY" }, "EUR", back, "down").minor).toBe(100);
  expect(convert({ minor: 100, currency: "EUR" }, "KWD", { from: "1", to: "0.355" }, "down").minor).toBe(355);
  expect(convert({ minor: 355, currency: "KWD" }, "JPY", { from: "0.355", to: "178" }, "down").minor).toBe(
    178,
  );
});

it("never gives back more than was turned, over all small sums and several currencies", () => {
  for (const [currency, rate] of [
    ["JPY", "178"],
    ["KWD", "0.355"],
    ["USD", "1.16"],
  ] as const)
    for (let minor = 0; minor < 2000; minor += 7) {
      const there = convert({ minor, currency: "EUR" }, currency, { from: "1", to: rate }, "down");
      const back = convert(there, "EUR", { from: rate, to: "1" }, "down");
      expect(back.minor).toBeLessThanOrEqual(minor);
    }
});

it("reads rates, and shows what one unit is in another currency", () => {
  expect(readRate("0")).toBeUndefined();
  expect(readRate("-1")).toBeUndefined();
  expect(readRate("1.5.2")).toBeUndefined();
  expect(crossRate("1", "1.16")).toBe("1.16000000");
  expect(crossRate("178", "1")).toBe("0.00561797");
});
