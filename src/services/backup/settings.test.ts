/** Accounts of an organisation: the last that is taken, and the first that is not. */
import { expect, it } from "vitest";
import { organization } from "./settings.ts";

it("an organisation has a thousand accounts at the most", () => {
  const accounts = (count: number) =>
    Array.from({ length: count }, (_, at) => String(at).padStart(12, "1")).join(",");
  expect(organization.read(accounts(1000))).toHaveLength(1000);
  expect(() => organization.read(accounts(1001))).toThrow("1 to 1000 accounts");
});
