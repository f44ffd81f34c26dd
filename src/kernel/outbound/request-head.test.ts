/** The head of an outgoing request, and where a redirect leads: the last that fits, and the first that does not. */
import { expect, it } from "vitest";
import { parseMethod, requestHeaders } from "./request-head.ts";
import { parseRedirectUrl } from "./target-url.ts";

const send = (headers: Record<string, string>) => () =>
  requestHeaders({ headers, basic: undefined, userAgent: "medley-test", acceptEncoding: undefined });

it("a hundred headers", () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, "v"]));
  expect(send(many(100))).not.toThrow();
  expect(send(many(101))).toThrow("more than 100 headers");
});

it("32 KiB of headers, names and values together", () => {
  expect(send({ "x-a": "v".repeat(32 * 1024 - 3) })).not.toThrow();
  expect(send({ "x-a": "v".repeat(32 * 1024 - 2) })).toThrow("longer than 32768 bytes");
});

it("32 characters of a method", () => {
  expect(parseMethod("m".repeat(32))).toBe("M".repeat(32));
  expect(() => parseMethod("m".repeat(33))).toThrow("not allowed");
});

it("8192 characters of a redirect", () => {
  const base = new URL("https://example.org/");
  const location = (length: number) => "/".padEnd(length, "a");
  expect(parseRedirectUrl(location(8192), base).pathname).toHaveLength(8192);
  expect(() => parseRedirectUrl(location(8193), base)).toThrow("not a valid URL");
});
