/** Addresses that may and may not receive an answer. */
import { describe, expect, it } from "vitest";
import { findRedirectProblem, originsOf } from "./redirect-uris.ts";

const web = { applicationType: "web", testMode: false } as const;
const native = { applicationType: "native", testMode: false } as const;
const testing = { applicationType: "web", testMode: true } as const;

describe("redirect URLs", () => {
  it("have 2048 characters at the most", () => {
    const uri = (length: number) => "https://app.example.org/".padEnd(length, "a");
    expect(findRedirectProblem(uri(2048), web)).toBeUndefined();
    expect(findRedirectProblem(uri(2049), web)).toMatch(/longer than 2048/);
  });
  it.each([
    ["https anywhere", "https://app.example.org/answer?from=us", web],
    ["http on loopback", "http://localhost:3000/answer", web],
    ["http on a loopback address", "http://127.0.0.1/answer", web],
    ["http on IPv6 loopback", "http://[::1]:9000/", web],
    ["http on a name below localhost", "http://app.localhost/", web],
    ["http anywhere in test mode", "http://staging:8080/answer", testing],
    ["a scheme of its own for a native application", "com.example.app:/answer", native],
  ])("accepts %s", (_name, uri, kind) => {
    expect(findRedirectProblem(uri, kind)).toBeUndefined();
  });

  it.each([
    ["http outside loopback", "http://app.example.org/answer", web],
    ["a host that only begins like loopback", "http://127.0.0.1.example.org/", web],
    ["a host that only ends like localhost", "http://notlocalhost/", web],
    ["a fragment", "https://app.example.org/#here", web],
    ["an empty fragment", "https://app.example.org/#", web],
    ["a user name", "https://good.example.org@evil.example.org/", web],
    ["an empty user name", "https://@evil.example.org/", web],
    ["a wildcard host", "https://*.example.org/", web],
    ["a relative address", "/answer", web],
    ["no host", "https:///answer", web],
    ["one slash", "https:/evil.example.org", web],
    ["backslashes", "https:\\\\evil.example.org", web],
    ["white space", "https://app.example.org/ answer", web],
    ["line ends", "https://app.example.org/\r\nset-cookie:x", web],
    ["script", "javascript:alert(1)", native],
    ["script in capitals", "JaVaScRiPt:alert(1)", native],
    ["data", "data:text/html,x", native],
    ["files", "file:///etc/passwd", native],
    ["a scheme of its own for a web application", "com.example.app:/answer", web],
    ["a scheme that anybody could own", "myapp:/answer", native],
    ["test mode does not lift the other rules", "http://staging/#x", testing],
    ["what is far too long", `https://app.example.org/${"a".repeat(2100)}`, web],
  ] as const)("refuses %s", (_name, uri, kind) => {
    expect(findRedirectProblem(uri, kind)).toBeTypeOf("string");
  });

  it("names each origin once and leaves out schemes without one", () => {
    expect(
      originsOf(["https://a.example/x", "https://a.example/y", "com.example.app:/x", "http://localhost:1/"]),
    ).toEqual(["https://a.example", "http://localhost:1"]);
  });
});
