import { expect, it } from "vitest";
import { parseDurationMs } from "./index.ts";

it("durations of up to 100 years are taken", () => {
  expect(parseDurationMs("36500d")).toBe(36_500 * 86_400_000);
  expect(parseDurationMs("36500d1ms")).toBeUndefined();
  expect(parseDurationMs("P36500D")).toBe(36_500 * 86_400_000);
  expect(parseDurationMs("P36500DT0.001S")).toBeUndefined();
});
