/** Who is calling, where proxies stand between. */
import { describe, expect, it } from "vitest";
import { callerAddress } from "./forwarded.ts";

const proxies = ["10.0.0.0/8", "fd00::/8", "192.0.2.7"];

describe("the caller's address", () => {
  it.each([
    ["nobody in between", "203.0.113.5", undefined, "203.0.113.5"],
    ["a stranger who claims to be a proxy", "203.0.113.5", "198.51.100.1", "203.0.113.5"],
    ["one proxy", "10.1.2.3", "203.0.113.5", "203.0.113.5"],
    ["a proxy seen through IPv6", "::ffff:10.1.2.3", "203.0.113.5", "203.0.113.5"],
    ["a chain of proxies", "10.1.2.3", "203.0.113.5, 192.0.2.7, fd00::1", "203.0.113.5"],
    ["a caller who adds addresses", "10.1.2.3", "127.0.0.1, 198.51.100.1, 203.0.113.5", "203.0.113.5"],
    ["a proxy that was called by a proxy", "10.1.2.3", "10.9.9.9", "10.9.9.9"],
    ["nonsense", "10.1.2.3", "unknown", "10.1.2.3"],
    ["nonsense before an address", "10.1.2.3", "<script>, 203.0.113.5", "203.0.113.5"],
    ["an IPv6 caller", "fd00::1", "2001:db8::5", "2001:db8::5"],
    ["nothing", "10.1.2.3", "", "10.1.2.3"],
  ])("behind %s", (_name, peer, forwardedFor, expected) => {
    expect(callerAddress(peer, forwardedFor, proxies)).toBe(expected);
  });
  it("is the peer's where no proxy is trusted", () => {
    expect(callerAddress("10.1.2.3", "203.0.113.5", [])).toBe("10.1.2.3");
  });
});
