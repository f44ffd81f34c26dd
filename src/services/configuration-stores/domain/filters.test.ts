/** Filters, read and matched. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFilter, parseLabelFilter, parseTagFilters } from "./filters.ts";

const escaped = (text: string) => text.replace(/[\\*,]/g, "\\$&");

describe("filters", () => {
  it.each([
    [undefined, { kind: "any" }],
    ["", { kind: "any" }],
    ["*", { kind: "any" }],
    ["abc", { kind: "oneOf", values: ["abc"] }],
    ["abc*", { kind: "prefix", prefix: "abc" }],
    ["a,b", { kind: "oneOf", values: ["a", "b"] }],
    ["a\\,b", { kind: "oneOf", values: ["a,b"] }],
    ["a\\**", { kind: "prefix", prefix: "a*" }],
    ["\\a\\b", { kind: "oneOf", values: ["ab"] }],
    ["a\\\\", { kind: "oneOf", values: ["a\\"] }],
  ])("reads %s", (text, expected) => {
    expect(parseFilter("key", text)).toEqual(expected);
  });
  it.each(["**", "a*b", "*a", "a*,b", "a,b*", "a\\", "a\0", "1,2,3,4,5,6"])("refuses %j", (text) => {
    expect(() => parseFilter("key", text)).toThrow(/^key/);
  });
  it("reads no label from nothing and from a zero character", () => {
    expect(parseLabelFilter("label", undefined)).toEqual({ kind: "any" });
    expect(parseLabelFilter("label", "")).toEqual({ kind: "oneOf", values: [""] });
    expect(parseLabelFilter("label", "\0")).toEqual({ kind: "oneOf", values: [""] });
    expect(parseLabelFilter("label", "\0,prod")).toEqual({ kind: "oneOf", values: ["", "prod"] });
    expect(() => parseLabelFilter("label", "a\0")).toThrow("label(1): Invalid character");
  });
  it("reads back whatever was escaped", () => {
    const text = fc.string({ minLength: 1 }).filter((one) => !one.includes("\0"));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (values) => {
        expect(parseFilter("key", values.map(escaped).join(","))).toEqual({ kind: "oneOf", values });
      }),
    );
    fc.assert(
      fc.property(text, (prefix) => {
        expect(parseFilter("key", `${escaped(prefix)}*`)).toEqual({ kind: "prefix", prefix });
      }),
    );
  });
  it("never fails in another way than by refusing", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseLabelFilter("label", text);
          parseFilter("key", text);
          parseTagFilters("tags", [text]);
        } catch (error) {
          expect((error as { kind?: { status: number } }).kind?.status).toBe(400);
        }
      }),
    );
  });
  it("reads tag filters", () => {
    expect(parseTagFilters("tags", ["a=b=c", "d=", "e=\0", "f\\=g=h\\,i", ""])).toEqual([
      { name: "a", value: "b=c" },
      { name: "d", value: "" },
      { name: "e", value: null },
      { name: "f=g", value: "h,i" },
    ]);
    expect(() => parseTagFilters("tags", ["a"])).toThrow("name=value");
  });
});
