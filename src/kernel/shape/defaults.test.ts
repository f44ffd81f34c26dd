import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { describe, expect, it } from "vitest";
import { fillerOf } from "./defaults.ts";

const Inner = Type.Object({ depth: Type.Integer({ default: 3 }), text: Type.Optional(Type.String()) });
const kinds: Record<string, TSchema> = {
  "simple members": Type.Object({
    a: Type.String({ default: "x" }),
    b: Type.Number({ default: 0 }),
    c: Type.Boolean({ default: false }),
    d: Type.Optional(Type.String()),
  }),
  "an object inside": Type.Object({ inner: Inner, other: Type.Optional(Inner) }),
  "an object with its own default": Type.Object({
    inner: Type.Object({ a: Type.String() }, { default: { a: "y" } }),
  }),
  "a choice of words": Type.Object({
    word: Type.Union([Type.Literal("one"), Type.Literal("two")], { default: "two" }),
  }),
  "a choice of objects": Type.Object({ either: Type.Union([Inner, Type.String()]) }),
  "a list of objects": Type.Object({ list: Type.Array(Inner, { default: [] }) }),
  "open members": Type.Object({ a: Type.String({ default: "x" }) }, { additionalProperties: Inner }),
  "a record": Type.Object({ named: Type.Record(Type.String(), Inner) }),
  "an intersection": Type.Intersect([Inner, Type.Object({ more: Type.String({ default: "z" }) })]),
};
const values: readonly unknown[] = [
  undefined,
  null,
  7,
  "text",
  [],
  [{}],
  {},
  { a: "given", b: null, c: undefined, word: "one" },
  { inner: {}, other: { depth: 9 }, either: {}, list: [{}, { depth: 1 }, 5], named: { k: {} }, extra: {} },
  { inner: null, other: "text", either: "text", list: "text", named: [], a: {} },
];

describe("defaults", () => {
  for (const [name, schema] of Object.entries(kinds))
    it(`are filled in as TypeBox does: ${name}`, () => {
      for (const value of values) {
        const wanted = Value.Default(schema, structuredClone(value));
        expect(fillerOf(schema)?.(structuredClone(value))).toEqual(wanted);
      }
    });
  it("cost nothing where there are none", () => {
    expect(fillerOf(Type.Object({ a: Type.String() }))).toBeUndefined();
  });
});
