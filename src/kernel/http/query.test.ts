/** Queries and forms: as Node's own reader has them, but fast for long values. */
import { parse } from "node:querystring";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eachOnce, parsePairs, respelt } from "./query.ts";

describe("pairs", () => {
  it.each([
    "",
    "a",
    "a=",
    "=a",
    "a=1&a=2&a=3",
    "a=b=c",
    "&&a=1&",
    "a+b=c+d%20e",
    "a=%E4%BD%A0&b=%zz&c=%E4",
    "__proto__=1&constructor=2",
  ])("%j is read as Node reads it", (text) => {
    expect({ ...parsePairs(text, 1000) }).toEqual({ ...parse(text) });
  });
  it("agree with Node's reader on anything", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "=",
      "&",
      "+",
      "%",
      "%2",
      "%41",
      "%C3%A9",
      "%ff",
      "%u0041",
      "%00",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");
        expect({ ...parsePairs(text, 1000) }).toEqual({ ...parse(text) });
      }),
      { numRuns: 2000 },
    );
  });
  it("beyond the limit are not read", () => {
    expect(Object.keys(parsePairs("a=1&b=2&c=3", 2))).toEqual(["a", "b"]);
  });
  it("names are spelt as declared, and what all objects inherit is no value", () => {
    const names = new Map([["$top", "$top"]]);
    const given = parsePairs("$TOP=1&constructor=2&__proto__=3&__proto__=4&Other=5", 1000);
    expect(Object.entries(respelt(given, names))).toEqual([
      ["$top", "1"],
      ["constructor", "2"],
      ["__proto__", ["3", "4"]],
      ["Other", "5"],
    ]);
    expect(respelt(parsePairs("$TOP=1&$top=2", 1000), names).$top).toEqual(["1", "2"]);
  });
  it("count once where the same value is repeated, unless several are wanted", () => {
    const given = parsePairs("a=1&a=1&b=1&b=2&c=3&c=3&__proto__=4&__proto__=4", 1000);
    expect(Object.entries(eachOnce(given, (name) => name === "c"))).toEqual([
      ["a", "1"],
      ["b", ["1", "2"]],
      ["c", ["3", "3"]],
      ["__proto__", "4"],
    ]);
  });
});
