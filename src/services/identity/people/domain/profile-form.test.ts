/** Birthdays that exist, and those that do not. */
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
