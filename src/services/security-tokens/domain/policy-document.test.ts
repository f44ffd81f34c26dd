/** Policy documents and the names of roles. */
import { describe, expect, it } from "vitest";
import { findRoleIn } from "./callers.ts";
import { policiesOf } from "./policy-document.ts";

const statement = (change: object = {}) => ({ Effect: "Allow", Action: "bank:*", Resource: "*", ...change });
const many = (count: number) => Array.from({ length: count }, () => statement());
const names = (count: number) => Array.from({ length: count }, (_, at) => `bank:Read${at}`);

describe("a policy document", () => {
  it.each([
    ["one statement", statement()],
    ["a list of one", many(1)],
    ["a hundred statements", many(100)],
    ["two hundred actions", statement({ Action: names(200) })],
    ["a long action", statement({ Action: `service:${"a".repeat(2040)}` })],
  ])("may have %s", (_what, Statement) => {
    const policies = policiesOf({ Version: "2012-10-17", Statement });
    expect(policies).toHaveLength(Array.isArray(Statement) ? Statement.length : 1);
    expect(policies[0]?.resources).toEqual(["*"]);
  });
  it.each([
    ["no statement", [], "1 to 100 statements"],
    ["too many statements", many(101), "1 to 100 statements"],
    ["no action", statement({ Action: [] }), "1 to 200 texts"],
    ["too many actions", statement({ Action: names(201) }), "1 to 200 texts"],
    ["an action that is too long", statement({ Action: `service:${"a".repeat(2041)}` }), "1 to 200 texts"],
    ["a resource that is too long", statement({ Resource: "a".repeat(2049) }), "1 to 200 texts"],
    ["an empty resource", statement({ Resource: "" }), "1 to 200 texts"],
    ["a condition", statement({ Condition: {} }), "not understood"],
    ["another effect", statement({ Effect: "allow" }), "Allow or Deny"],
  ])("may not have %s", (_what, Statement, message) =>
    expect(() => policiesOf({ Statement })).toThrow(message),
  );
});

it.each([
  ["arn:aws:iam::123456789012:role/reader", { account: "123456789012", role: "reader" }],
  ["arn:vendor:iam::123456789012:role/team/reader", { account: "123456789012", role: "reader" }],
  ["arn:aws:iam::123456789012:user/reader", undefined],
  ["arn:aws:sts::123456789012:role/reader", undefined],
  ["arn:aws:iam:here:123456789012:role/reader", undefined],
  ["arn:aws:iam::1234:role/reader", undefined],
  ["reader", undefined],
])("the role in %s is %j", (arn, role) => expect(findRoleIn(arn)).toEqual(role));
