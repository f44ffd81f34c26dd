/** What services of one mount say together, and what they must not say. */
import { expect, it } from "vitest";
import { type Dialect, defineDialect } from "./dialect.ts";
import { joinDialects } from "./join.ts";

const apples = defineDialect({
  name: "maker",
  headers: { "x-maker-key": "x-key" },
  pathWords: { "Maker.Apples": "Vendor.Apples" },
  fields: { makerKind: "kind" },
  valueFields: ["id"],
  wrapAnswer: (_operation, _status, body) => ({ apples: body }),
  unwrapBody: (_operation, body) => ({ ...(body as object), unwrapped: true }),
});
const pears = defineDialect({
  name: "maker",
  pathWords: { "Maker.Pears": "Vendor.Pears" },
  valueFields: ["id", "pearId"],
  answerValueFields: ["message"],
  wrapAnswer: (_operation, _status, body) => ({ pears: body }),
});
const one = ([first, ...others]: readonly Dialect[]): Dialect => {
  expect(others).toEqual([]);
  return first as Dialect;
};
const detected = (dialect: Dialect, path: string) => dialect.detect({ path, headers: {}, rawQuery: "" });

it("understands the words of all of them wherever one stands", () => {
  const joined = one(joinDialects([apples, pears, apples]));
  expect(["/Maker.Apples", "/Maker.Pears", "/Maker.Plums"].map((path) => detected(joined, path))).toEqual([
    true,
    true,
    false,
  ]);
  expect(joined.neutralPath("/maker.pears/1")).toBe("/Vendor.Pears/1");
  expect(joined.neutralHeaders({ "x-maker-key": "k" })).toMatchObject({ "x-key": "k" });
  expect(
    joined.neutralBody("any", { makerKind: "a", pearId: "Maker.Apples", message: "Maker.Pears" }),
  ).toEqual({
    kind: "a",
    pearId: "Vendor.Apples",
    message: "Maker.Pears",
    unwrapped: true,
  });
});

it("answers in the words of all of them, in each one's envelope once", () => {
  const joined = one(joinDialects([apples, pears, apples]));
  expect(joined.makersBody("any", 200, { kind: "a", id: "Vendor.Pears", message: "Vendor.Apples" })).toEqual({
    pears: { apples: { makerKind: "a", id: "Maker.Pears", message: "Maker.Apples" } },
  });
});

it("leaves alone what somebody else wrote", () => {
  const quoting = defineDialect({ name: "maker", verbatim: ["note", "properties.message"] });
  const joined = one(joinDialects([apples, pears, quoting]));
  const body = {
    id: "Vendor.Pears",
    message: "Vendor.Apples",
    note: { id: "Vendor.Pears", kind: "a" },
    properties: { message: "Vendor.Apples" },
  };
  const { note, properties } = body;
  expect(joined.makersBody("any", 200, body)).toEqual({
    pears: { apples: { id: "Maker.Pears", message: "Maker.Apples", note, properties } },
  });
  const given = { note: { id: "Maker.Pears", makerKind: "a" } };
  expect(joined.neutralBody("any", given)).toMatchObject(given);
});

it("answers the word declared last where a maker has two for one thing", () => {
  const renamed = defineDialect({ name: "maker", pathWords: { "Maker.Fruit": "Vendor.Apples" } });
  const joined = one(joinDialects([apples, renamed]));
  expect(joined.neutralPath("/Maker.Apples/Maker.Fruit")).toBe("/Vendor.Apples/Vendor.Apples");
  expect(joined.makersHeaders({ location: "/Vendor.Apples" })).toEqual({ location: "/Maker.Fruit" });
});

it("refuses a word with two meanings", () => {
  const other = defineDialect({ name: "maker", pathWords: { "Maker.Apples": "Vendor.Pears" } });
  expect(() => joinDialects([apples, other])).toThrow(
    "in the dialect maker, Maker.Apples means both Vendor.Apples and Vendor.Pears",
  );
});

it("keeps dialects of other names and those that are no tables by themselves", () => {
  const { table: _table, ...written } = apples;
  const others = defineDialect({ name: "others" });
  expect(joinDialects([apples, written, others, apples])).toEqual([apples, written, others]);
  expect(joinDialects([apples, written, pears])).toHaveLength(2);
  expect(joinDialects([])).toEqual([]);
});
