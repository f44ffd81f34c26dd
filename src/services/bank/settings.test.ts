/** Settings of the bank: the last that is taken, and the first that is not. */
import { expect, it } from "vitest";
import { rateLimit } from "./settings.ts";

it("rate limits are up to a million times those of the public bank", () => {
  expect(rateLimit.read("1000000")).toBe(1_000_000);
  expect(() => rateLimit.read("1000001")).toThrow("from 0 to 1000000");
});
