/** Signatures, checked against a second implementation of the same rule. */
import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  checkBodyHash,
  checkedText,
  isSignedWith,
  parseAuthorization,
  type SignedCall,
} from "./signature.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const parseInstant = (text: string) => {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
};
const secret = Buffer.from("a secret of some length, as keys have");
const SIGNED = "x-ms-date;host;x-ms-content-sha256";

function callOf(body = "", headers: Record<string, string> = {}): SignedCall {
  return {
    method: "PUT",
    pathAndQuery: "/configuration/store/kv/a%2Fb?api-version=1.0&label=%00",
    headers: {
      host: "127.0.0.1:4020",
      "x-ms-date": "Sun, 01 Mar 2026 11:50:00 GMT",
      "x-ms-content-sha256": createHash("sha256").update(body).digest("base64"),
      ...headers,
    },
  };
}
const authorizationOf = (signedHeaders = SIGNED, signature = "x") =>
  parseAuthorization(`HMAC-SHA256 Credential=id&SignedHeaders=${signedHeaders}&Signature=${signature}`);
const check = (call: SignedCall, signedHeaders = SIGNED) =>
  checkedText(call, authorizationOf(signedHeaders), NOW, parseInstant);

describe("signed requests", () => {
  it("cover method, address and the signed headers in their order", () => {
    const call = callOf('{"value":"1"}');
    expect(check(call).text).toBe(
      `PUT\n${call.pathAndQuery}\nSun, 01 Mar 2026 11:50:00 GMT;127.0.0.1:4020;${call.headers["x-ms-content-sha256"]}`,
    );
    const more = { ...call, headers: { ...call.headers, accept: "a/b" } };
    expect(check(more, `accept;${SIGNED}`).text).toContain("\na/b;Sun");
  });
  it("are verified with the right secret and no other", () => {
    const { text } = check(callOf());
    const signature = createHmac("sha256", secret).update(text).digest("base64");
    expect(isSignedWith(secret, text, signature)).toBe(true);
    expect(isSignedWith(secret, `${text}x`, signature)).toBe(false);
    expect(isSignedWith(Buffer.from("other"), text, signature)).toBe(false);
    for (const wrong of ["", "x", signature.slice(0, -4), `${signature}AAAA`])
      expect(isSignedWith(secret, text, wrong)).toBe(false);
  });
  it("are written with ampersands or commas, names in any casing", () => {
    const parsed = { credential: "a:b", signedHeaders: ["date", "host"], signature: "x+/y==" };
    expect(parseAuthorization("HMAC-SHA256 Credential=a:b&SignedHeaders=Date;Host&Signature=x+/y==")).toEqual(
      parsed,
    );
    expect(
      parseAuthorization("hmac-sha256 credential=a:b, signedheaders=date;host, signature=x+/y=="),
    ).toEqual(parsed);
  });
  it("sign at most fifty headers", () => {
    const headers = (count: number) => Array.from({ length: count }, (_, index) => `h${index}`).join(";");
    expect(authorizationOf(headers(50)).signedHeaders).toHaveLength(50);
    expect(() => authorizationOf(headers(51))).toThrow("Too many signed headers");
  });
  it.each(["Sun, 01 Mar 2026 11:45:00 GMT", "Sun, 01 Mar 2026 12:15:00 GMT"])(
    "are still taken at %s",
    (date) => {
      expect(check(callOf("", { "x-ms-date": date })).text).toContain(date);
    },
  );
  it.each([
    ["Sun, 01 Mar 2026 11:44:59 GMT", "has expired"],
    ["Sun, 01 Mar 2026 12:15:01 GMT", "has expired"],
    ["noon", "Invalid access token date"],
  ])("are refused at %s", (date, problem) => {
    expect(() => check(callOf("", { "x-ms-date": date }))).toThrow(problem);
  });
  it("are refused when the body is not the one that was hashed", () => {
    const sha256 = createHash("sha256").update("a").digest("hex");
    expect(() => checkBodyHash(check(callOf("a")), sha256)).not.toThrow();
    expect(() => checkBodyHash(check(callOf("b")), sha256)).toThrow("content hash");
    expect(() => checkBodyHash(check(callOf("a", { "x-ms-content-sha256": "" })), sha256)).toThrow(
      "content hash",
    );
  });
  it("are refused when a needed header is not signed or not there", () => {
    expect(() => check(callOf(), "host;x-ms-content-sha256")).toThrow("x-ms-date is required");
    expect(() => check(callOf(), "x-ms-date;x-ms-content-sha256")).toThrow("host is required");
    expect(() => check(callOf(), "x-ms-date;host")).toThrow("x-ms-content-sha256 is required");
    expect(() => check(callOf(), `${SIGNED};missing`)).toThrow("'missing' is not provided");
    expect(() => check(callOf(), `${SIGNED};${"a;".repeat(60)}`)).toThrow("Too many");
  });
});
