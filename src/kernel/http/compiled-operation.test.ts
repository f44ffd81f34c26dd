/** What an operation made ready to run notices of its own mistakes. */
import { Type } from "@sinclair/typebox";
import { expect, it } from "vitest";
import { operationsFor, secret } from "../operation/index.ts";
import { CompiledOperation } from "./compiled-operation.ts";

const Person = Type.Object({
  name: Type.String(),
  logins: Type.Array(Type.Object({ password: secret(Type.String()) })),
});
const compiled = new CompiledOperation(
  operationsFor()({
    id: "people.add",
    summary: "Adds a person",
    method: "POST",
    path: "/people",
    permission: "people:Add",
    body: Person,
    answers: { 200: Type.Object({ name: Type.String(), note: Type.Optional(Type.String()) }) },
    handle: ({ body }) => ({ name: body.name }),
  }),
);
const given = { name: "ann", logins: [{ password: "open-sesame" }] };

it("finds a secret that is answered, wherever it stands", () => {
  expect(compiled.findAnsweredSecret(given, { name: "ann" })).toBeUndefined();
  expect(compiled.findAnsweredSecret(given, { name: "ann", note: "open-sesame" })).toBe("logins.*.password");
  expect(compiled.findAnsweredSecret(given, undefined)).toBeUndefined();
});

it("a secret of fewer than six characters may be there by chance", () => {
  const found = (password: string) =>
    compiled.findAnsweredSecret({ name: "ann", logins: [{ password }] }, { name: "ann", note: password });
  expect([found("12345"), found("123456")]).toEqual([undefined, "logins.*.password"]);
});

it("names what a request changes, except a new member of a collection", () => {
  const one = new CompiledOperation({ ...compiled.operation, path: "/people/{name}" });
  expect(one.resourceOf("111111111111", "/people/ann")).toBe("111111111111 /people/ann");
  expect(compiled.resourceOf("111111111111", "/people")).toBeUndefined();
});
