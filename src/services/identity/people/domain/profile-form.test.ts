/** Birthdays that exist, and those that do not; the longest entries. */
import { expect, it } from "vitest";
import { readProfile } from "./profile-form.ts";

const isBirthday = (birthdate: string) => readProfile({ birthdate }).problems.birthdate === undefined;
it.each(["2024-02-29", "2000-02-29", "1990-04-30", "1990-12-31"])("%s is a day", (text) =>
  expect(isBirthday(text)).toBe(true),
);
it.each(["2023-02-29", "1900-02-29", "1990-04-31", "1990-13-01", "1990-00-01", "1990-01-00", "1990-1-1"])(
  "%s is no day",
  (text) => expect(isBirthday(text)).toBe(false),
);

it("an address of the web has 1000 characters, another entry 200", () => {
  const problemsOf = (website: string, nickname: string) => readProfile({ website, nickname }).problems;
  const address = (length: number) => "https://example.org/".padEnd(length, "a");
  expect(problemsOf(address(1000), "n".repeat(200))).toEqual({});
  expect(problemsOf(address(1001), "n".repeat(201))).toEqual({
    website: "Write it with http:// or https://.",
    nickname: "Use up to 200 characters.",
  });
});
