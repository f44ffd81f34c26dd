/** Valid locale headers are accepted, and error messages are in the caller's language. */
import { expect, it } from "vitest";
import { problemIn, translated } from "./languages.ts";

const said = { language: undefined, region: undefined, geolocation: undefined };
it.each([
  [{}, undefined],
  [{ language: "nl_NL", region: "en_US", geolocation: "4.89 52.37 0 10 NL" }, undefined],
  [{ geolocation: "0 0 0 0 000" }, undefined],
  [{ language: "dutch" }, "X-Vendor-Language"],
  [{ region: "nl-NL" }, "X-Vendor-Region"],
  [{ geolocation: "here" }, "X-Vendor-Geolocation"],
])("of %j says %s", (given, words) => {
  const problem = problemIn({ ...said, ...given });
  expect(problem?.split(" ")[0]).toBe(words);
});

it("tells in Dutch what it can, and of what kind the rest is", () => {
  expect(translated("This request must be signed.", 466, "nl_NL")).toBe("Dit verzoek moet ondertekend zijn.");
  expect(translated("There is no user 7.", 404, "nl_BE")).toBe("Dit bestaat niet.");
  expect(translated("There is no user 7.", 404, "en_US")).toBe("There is no user 7.");
  expect(translated("There is no user 7.", 404, undefined)).toBe("There is no user 7.");
});
