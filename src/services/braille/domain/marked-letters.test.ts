/** Letters with marks. */
import { expect, it } from "vitest";
import { findMarkedDots } from "./marked-letters.ts";

it.each([
  ["ø", "4-16-135"],
  ["đ", "4-25-145"],
  ["ç", "45-12346-14"],
  ["å", "45-1246-1"],
])("%s has the dots %s", (letter, dots) => expect(findMarkedDots(letter)).toBe(dots));
it.each(["a", "Å", "1", "ß"])("%s is no small letter with marks", (letter) =>
  expect(findMarkedDots(letter)).toBeUndefined(),
);
