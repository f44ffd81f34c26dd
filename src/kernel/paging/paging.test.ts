/** Page tokens: what was made for a list is read by it alone, and nothing that is forged does harm. */
import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { cursorOf, pageOf, readCursor } from "./paging.ts";

/** The mark is public, so anybody can make one. */
const forged = (list: string, body: string): string => {
  const mark = createHmac("sha256", "medley-cursor")
    .update(list)
    .update("\0")
    .update(body)
    .digest("base64url");
  return Buffer.from(mark.slice(0, 8) + body).toString("base64url");
};

it("reads its own tokens, and those of no other list", () => {
  const token = cursorOf("notes", ["a", 7]);
  expect(readCursor("notes", token)).toEqual(["a", 7]);
  expect(readCursor("notes", undefined)).toBeUndefined();
  expect(() => readCursor("boxes", token)).toThrow("not valid");
});
it.each(["{}", "null", "7", '"text"', "[{}]", "[null]", "[1", "x", String.raw`["a\u0000b"]`])(
  "refuses a forged %s",
  (body) => {
    expect(() => readCursor("notes", forged("notes", body))).toThrow("not valid");
  },
);
it("has a next page only where a row is left over", () => {
  const key = (row: string) => [row];
  expect(pageOf("notes", ["a", "b"], 2, key)).toEqual({ rows: ["a", "b"] });
  expect(pageOf("notes", ["a", "b", "c"], 2, key)).toEqual({
    rows: ["a", "b"],
    nextToken: cursorOf("notes", ["b"]),
  });
});
