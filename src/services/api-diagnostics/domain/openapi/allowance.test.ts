/** What a document may stand for: the last character, and the first that is too much. */
import { expect, it } from "vitest";
import { Allowance } from "./allowance.ts";

it("a document stands for 4 Mi characters, and each of its items for 100 besides", () => {
  const most = 4 * 1024 * 1024;
  const taking =
    (...lengths: number[]) =>
    () => {
      const allowance = new Allowance();
      for (const length of lengths) allowance.take("a".repeat(length));
    };
  expect(taking(most - 100)).not.toThrow();
  expect(taking(most - 99)).toThrow("more than 4194304 characters");
  expect(taking(most - 300, 0, 0)).not.toThrow();
  expect(taking(most - 299, 0, 0)).toThrow("more than 4194304 characters");
});
