/** Settings of functions: the last that is taken, the first that is not, and what holds where nothing is said. */
import { expect, it } from "vitest";
import { defaultConfig } from "../../kernel/config/index.ts";
import { settings, settingsOf } from "./settings.ts";

it("forty processes at a time, or one to ten thousand", () => {
  expect(settingsOf(defaultConfig).instancesMax).toBe(40);
  const instances = settings.find(({ key }) => key === "functionsInstances");
  expect([1, 10_000].map((count) => instances?.read(String(count)))).toEqual([1, 10_000]);
  for (const count of [0, 10_001]) expect(() => instances?.read(String(count))).toThrow("from 1 to 10000");
});
