/** The limits of a backup plan. */
import { expect, it } from "vitest";
import { type GivenRule, planDocumentOf } from "./plan.ts";

const checks = { nowMs: 0, optionsOf: () => undefined, newId: () => "id" };
const planOf = (...rules: readonly Partial<GivenRule>[]) =>
  planDocumentOf(
    {
      name: "nightly",
      rules: rules.map((rule, at) => ({ name: `rule-${at}`, vaultName: "vault", ...rule })),
    },
    checks,
  );
const windows = (startWindowMinutes: number, completionWindowMinutes: number) =>
  planOf({ startWindowMinutes, completionWindowMinutes });

it("has 1 to 10 rules", () => {
  const rules = (count: number) => planOf(...Array.from({ length: count }, () => ({})));
  expect([rules(1).rules.length, rules(10).rules.length]).toEqual([1, 10]);
  for (const count of [0, 11]) expect(() => rules(count)).toThrow("1 to 10 rules");
});
it("starts within an hour to a hundred days, and is given an hour more to end", () => {
  expect(windows(60, 120).rules[0]).toMatchObject({ startWindowMinutes: 60, completionWindowMinutes: 120 });
  expect(windows(143_940, 144_000).rules.length).toBe(1);
  for (const start of [59, 144_001]) expect(() => windows(start, 144_000)).toThrow("must be 60 to 144000");
  for (const [start, completion] of [
    [60, 119],
    [60, 144_001],
  ] as const)
    expect(() => windows(start, completion)).toThrow("144000 at the most");
});
it("copies to 10 vaults at the most", () => {
  const copies = (count: number) =>
    planOf({
      copyActions: Array.from({ length: count }, (_, at) => ({
        destinationVaultArn: `arn:vendor:backup:us-east-1:111111111111:backup-vault:vault-${at}`,
      })),
    });
  expect(copies(10).rules[0]?.copyActions.length).toBe(10);
  expect(() => copies(11)).toThrow("10 copy actions");
});
