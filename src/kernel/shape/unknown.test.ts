/** Members that no schema declares, in objects, lists and alternatives. */
import { type TObject, Type } from "@sinclair/typebox";
import { describe, expect, it } from "vitest";
import { unknownFinderOf } from "./unknown.ts";

const UNKNOWN_NAMED_MAX = 10;

const inner = Type.Object({ a: Type.String() });
const schema = Type.Object({ list: Type.Array(inner), one: Type.Optional(inner), text: Type.String() });

function unknownIn(value: unknown, schemas = [schema] as Parameters<typeof unknownFinderOf>[0]): string[] {
  const finder = unknownFinderOf(schemas);
  const found: string[] = [];
  finder?.find(value, "", found);
  expect(finder?.isClean(value) ?? true).toBe(found.length === 0);
  return found;
}

describe("unknown members", () => {
  it("are named with their path", () => {
    expect(unknownIn({ list: [{ a: "" }], one: { a: "" }, text: "" })).toEqual([]);
    expect(unknownIn({ list: [{ a: "" }, { b: "" }], one: { c: "" }, d: "" })).toEqual([
      "list[1].b",
      "one.c",
      "d",
    ]);
  });
  it("are noticed in a single item of a list", () => {
    expect(unknownIn({ list: [{ a: "" }, { b: "" }, { a: "" }] })).toEqual(["list[1].b"]);
  });
  it("are none where the value has another type", () => {
    expect(unknownIn({ list: { b: "" }, one: [1], text: {} })).toEqual([]);
    expect(unknownIn(null)).toEqual([]);
  });
  it("are counted up to a limit", () => {
    const list = Array.from({ length: UNKNOWN_NAMED_MAX + 5 }, () => ({ b: "" }));
    expect(unknownIn({ list })).toHaveLength(UNKNOWN_NAMED_MAX);
  });
  it("are looked for down to twenty levels", () => {
    const nested = (levels: number, text: string) =>
      JSON.parse(`${'{"in":'.repeat(levels)}${text}${"}".repeat(levels)}`);
    const deep = Array.from({ length: 30 }).reduce<TObject>(
      (inside) => Type.Object({ in: Type.Optional(inside) }),
      inner,
    );
    const foundAt = (levels: number) => unknownIn(nested(levels, '{"odd":1}'), [deep]).length;
    expect([foundAt(20), foundAt(21)]).toEqual([1, 0]);
  });
  it("are known if any alternative declares them, at any depth", () => {
    const either = [
      Type.Object({ shared: Type.Object({ a: Type.String() }), x: Type.String() }),
      Type.Object({ shared: Type.Object({ b: Type.String() }), y: Type.String() }),
    ];
    expect(unknownIn({ shared: { a: "", b: "" }, x: "", y: "" }, either)).toEqual([]);
    expect(unknownIn({ shared: { a: "", c: "" }, z: "" }, either)).toEqual(["shared.c", "z"]);
  });
  it("do not exist where everything is accepted", () => {
    expect(unknownFinderOf([Type.Record(Type.String(), Type.String())])).toBeUndefined();
    expect(unknownFinderOf([Type.String()])).toBeUndefined();
  });
});
