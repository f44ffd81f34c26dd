import { expect, it } from "vitest";
import { findEmailProblem, findPasswordProblem } from "./names.ts";

const WORDS = "seven-unrelated words ";

it("addresses have 254 characters at the most", () => {
  const address = (length: number): string =>
    `${"a.".repeat(29)}a@${"b".repeat(60)}.`.concat(
      `${"c".repeat(60)}.${"d".repeat(60)}.`,
      "e".repeat(Math.max(1, length - 59 - 1 - 61 - 61 - 61)),
    );
  expect(address(254)).toHaveLength(254);
  expect(findEmailProblem(address(254))).toBeUndefined();
  expect(findEmailProblem(address(255))).toBeDefined();
});

it("passwords have 10 to 256 characters", () => {
  const password = (length: number): string => WORDS.repeat(20).slice(0, length);
  const problems = [9, 10, 256, 257].map((length) => findPasswordProblem(password(length), []) === undefined);
  expect(problems).toEqual([false, true, true, false]);
});

it("a password has five different characters", () => {
  expect(findPasswordProblem("tzqkvtzqkv", [])).toBeUndefined();
  expect(findPasswordProblem("tzqktzqktzqk", [])).toContain("easy to guess");
});
