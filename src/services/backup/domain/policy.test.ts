/** Access policies of vaults: whom and what a statement applies to. */
import { expect, it } from "vitest";
import { decide, parsePolicy } from "./policy.ts";

const visitor = { account: "111111111111", arn: "arn:vendor:iam::111111111111:user/ann" };
const statement = (change: object) => ({
  Effect: "Allow",
  Principal: "*",
  Action: ["backup:StartCopyJob", "backup:CopyInto*"],
  Resource: "*",
  ...change,
});
const decided = (action: string, ...changes: object[]) =>
  decide(JSON.stringify({ Statement: changes.map(statement) }), visitor, action, "arn:vendor:backup:x");

it("applies to any of its actions, in any case", () => {
  expect(decided("backup:StartCopyJob", {})).toBe("allowed");
  expect(decided("backup:copyintobackupvault", {})).toBe("allowed");
  expect(decided("backup:DeleteVault", {})).toBe("unsaid");
});
it("applies to everything but its excepted actions and principals", () => {
  const except = { Action: undefined, NotAction: ["backup:StartCopyJob", "backup:DeleteVault"] };
  expect(decided("backup:StartCopyJob", except)).toBe("unsaid");
  expect(decided("backup:ListJobs", except)).toBe("allowed");
  const others = { Principal: undefined, NotPrincipal: { AWS: visitor.account } };
  expect(decided("backup:StartCopyJob", others)).toBe("unsaid");
});
it("denies if any statement denies", () => {
  expect(decided("backup:StartCopyJob", {}, { Effect: "Deny", Action: "*" })).toBe("denied");
  expect(decide(null, visitor, "backup:StartCopyJob", "x")).toBe("unsaid");
});
it("applies under its conditions", () => {
  const condition = (operator: string, value: string) => ({
    Condition: { [operator]: { "aws:PrincipalAccount": [value, "3"] } },
  });
  expect(decided("backup:StartCopyJob", condition("StringEquals", visitor.account))).toBe("allowed");
  expect(decided("backup:StartCopyJob", condition("StringLike", "1*"))).toBe("allowed");
  expect(decided("backup:StartCopyJob", condition("StringNotLike", "1*"))).toBe("unsaid");
  expect(decided("backup:StartCopyJob", condition("StringEquals", "2"))).toBe("unsaid");
});
it("has 20,480 characters and 100 statements at the most", () => {
  const padded = (length: number) => JSON.stringify({ Statement: [statement({})] }).padEnd(length);
  expect(parsePolicy(padded(20_480)).length).toBe(1);
  expect(() => parsePolicy(padded(20_481))).toThrow("more than 20480 characters");
  const many = (count: number) => JSON.stringify({ Statement: Array(count).fill(statement({})) });
  expect(parsePolicy(many(100)).length).toBe(100);
  expect(() => parsePolicy(many(101))).toThrow("100 Statements");
});
