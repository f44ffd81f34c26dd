/** Everyday entities by culture. */
import { expect, it } from "vitest";
import { findPrebuilts, prebuiltNames } from "./prebuilts.ts";

const AT_MS = Date.UTC(2026, 2, 4, 10);
const find = (text: string, name: string, culture = "en-us") =>
  findPrebuilts(text, { culture, names: [name], wallClockMs: AT_MS });

it.each([
  ["en-us", "number", "I want three tickets", "three", { value: "3" }],
  ["en-gb", "number", "I want three tickets", "three", { value: "3" }],
  ["en-us", "money", "it costs $5", "$5", { value: "5", unit: "Dollar" }],
  ["en-us", "datetimeV2", "see you tomorrow", "tomorrow", { values: [{ value: "2026-03-05" }] }],
  ["fr-fr", "percentage", "une remise de 20%", "20%", { value: "20%" }],
  ["zh-cn", "number", "我要二十张", "二十", { value: "20" }],
  ["de-de", "email", "schreib an a@b.de", "a@b.de", { value: "a@b.de" }],
] as const)("of %s: %s in %s", async (culture, name, text, words, resolution) => {
  const [found] = await find(text, name, culture);
  expect(text.slice(found?.start, found?.end)).toBe(words);
  expect(found?.resolution).toMatchObject(resolution);
});

it("has only what the library has rules for", async () => {
  expect(prebuiltNames("en-us")).toContain("datetimeV2");
  expect(prebuiltNames("de-de")).toEqual(["email", "phonenumber", "url"]);
  expect(await find("zwanzig", "number", "de-de")).toEqual([]);
});
