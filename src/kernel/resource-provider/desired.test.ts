/** Merge patches, tags and declared members. */
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkTags, desiredOfPut, mergePatch, mergeTags } from "./desired.ts";
import { trackedBody } from "./wire.ts";

/** The examples of RFC 7396. */
test.each([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j patched with %j", (base, patch, result) => expect(mergePatch(base, patch)).toEqual(result));

test("patching twice is patching once", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (base, patch) => {
      const once = mergePatch(base, patch);
      expect(mergePatch(once, patch)).toEqual(once);
    }),
  );
});

test("members that are not declared are dropped, and other top-level members kept together", () => {
  const schema = trackedBody({
    sku: Type.Object({ name: Type.String() }),
    properties: Type.Object({ a: Type.String() }),
  });
  const wanted = desiredOfPut(schema, {
    id: "/forged",
    location: "westus",
    sku: { name: "S", price: 1 },
    unknown: 1,
    properties: { a: "x", provisioningState: "Succeeded" },
  });
  expect(wanted).toEqual({
    location: "westus",
    tags: {},
    envelope: { sku: { name: "S" } },
    properties: { a: "x" },
  });
});

test.each([
  ["too many", Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`t${n}`, "v"]))],
  ["a long name", { ["n".repeat(513)]: "v" }],
  ["a long value", { n: "v".repeat(257) }],
  ["a strange name", { "a/b": "v" }],
  ["one name twice", { Env: "a", env: "b" }],
])("tags refused: %s", (_what, given) => expect(() => checkTags(given)).toThrow(/tag/i));

test.each([
  ["as many as there may be", Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`t${n}`, "v"]))],
  ["the longest name", { ["n".repeat(512)]: "v" }],
  ["the longest value", { n: "v".repeat(256) }],
])("tags taken: %s", (_what, given) => expect(checkTags(given)).toEqual(given));

test("tags merge without regard to case; null takes one away", () => {
  expect(mergeTags({ Env: "a", team: "t" }, { env: "b", TEAM: null, new: "n" })).toEqual({
    env: "b",
    new: "n",
  });
});

test("null takes one tag away, or all of them", () => {
  expect(mergeTags({ Env: "test", owner: "ann" }, { env: null })).toEqual({ owner: "ann" });
  expect(mergeTags({ Env: "test", owner: "ann" }, null)).toEqual({});
  expect(mergeTags({ Env: "test" }, undefined)).toEqual({ Env: "test" });
});
