/** Every URL here tries to reach what it must not; none may lead to a connection. */
import { describe, expect, it } from "vitest";
import { failureOf } from "../../../tests/support/outbound-failure.ts";
import { createOutbound, type OutboundFailureReason } from "./index.ts";

const NAMES: Record<string, string[]> = {
  "inner.example": ["10.0.0.5"],
  "metadata.example": ["169.254.169.254"],
  "loopback.example": ["127.0.0.1"],
  "mapped.example": ["::ffff:192.168.1.1"],
  "mixed.example": ["93.184.215.14", "10.0.0.5"],
  "mixed6.example": ["2606:4700::1111", "fd00:ec2::254"],
  "zoned.example": ["fe80::1%eth0"],
  "nowhere.example": [],
  "nonsense.example": ["not an address"],
};

function outboundWith(options: { listensOnLoopbackOnly?: boolean; allowedNetworks?: string[] }) {
  return createOutbound({
    listensOnLoopbackOnly: options.listensOnLoopbackOnly ?? false,
    allowedNetworks: options.allowedNetworks ?? [],
    userAgent: "medley-test",
    lookup: async (host) => {
      const addresses = NAMES[host];
      if (!addresses) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" });
      return addresses.map((address) => ({ address, family: 4 as const }));
    },
  });
}

/** Refused whether or not Medley itself listens on loopback only. */
const ALWAYS_REFUSED: [string, OutboundFailureReason][] = [
  ["http://0.0.0.0/", "refusedAddress"],
  ["http://0/", "refusedAddress"],
  ["http://0.1.2.3/", "refusedAddress"],
  ["http://10.0.0.1/", "refusedAddress"],
  ["http://10.255.255.254:8080/x?y", "refusedAddress"],
  ["http://172.16.0.1/", "refusedAddress"],
  ["http://172.31.255.255/", "refusedAddress"],
  ["http://192.168.0.1/", "refusedAddress"],
  ["http://3232235521/", "refusedAddress"],
  ["http://0xc0a80001/", "refusedAddress"],
  ["http://0300.0250.0.1/", "refusedAddress"],
  ["http://192.168.1/", "refusedAddress"],
  ["http://10.1/", "refusedAddress"],
  ["http://１０.0.0.1/", "refusedAddress"],
  ["http://10。0。0。1/", "refusedAddress"],
  ["http://%31%30.0.0.1/", "refusedAddress"],
  ["http://10.0.0.1./", "refusedAddress"],
  ["http://100.64.0.1/", "refusedAddress"],
  ["http://100.100.100.200/latest/meta-data/", "refusedAddress"],
  ["http://169.254.169.254/latest/meta-data/", "refusedAddress"],
  ["http://2852039166/", "refusedAddress"],
  ["http://0xa9fea9fe/", "refusedAddress"],
  ["http://168.63.129.16/metadata", "refusedAddress"],
  ["http://192.0.0.192/", "refusedAddress"],
  ["http://192.0.2.1/", "refusedAddress"],
  ["http://198.18.0.1/", "refusedAddress"],
  ["http://203.0.113.9/", "refusedAddress"],
  ["http://224.0.0.1/", "refusedAddress"],
  ["http://240.0.0.1/", "refusedAddress"],
  ["http://255.255.255.255/", "refusedAddress"],
  ["http://[::]/", "refusedAddress"],
  ["http://[::ffff:10.0.0.1]/", "refusedAddress"],
  ["http://[::ffff:a9fe:a9fe]/", "refusedAddress"],
  ["http://[::10.0.0.1]/", "refusedAddress"],
  ["http://[::7f00:1]/", "refusedAddress"],
  ["http://[::ffff:0:127.0.0.1]/", "refusedAddress"],
  ["http://[64:ff9b::10.0.0.1]/", "refusedAddress"],
  ["http://[64:ff9b::7f00:1]/", "refusedAddress"],
  ["http://[64:ff9b:1::a00:1]/", "refusedAddress"],
  ["http://[2002:a00:1::]/", "refusedAddress"],
  ["http://[2001:0:1::1]/", "refusedAddress"],
  ["http://[2001:db8::1]/", "refusedAddress"],
  ["http://[100::1]/", "refusedAddress"],
  ["http://[fc00::1]/", "refusedAddress"],
  ["http://[fd00:ec2::254]/latest/meta-data/", "refusedAddress"],
  ["http://[fe80::1]/", "refusedAddress"],
  ["http://[fec0::1]/", "refusedAddress"],
  ["http://[ff02::1]/", "refusedAddress"],
  ["http://[4000::1]/", "refusedAddress"],
  ["http://inner.example/", "refusedAddress"],
  ["http://INNER.example./", "refusedAddress"],
  ["https://metadata.example/", "refusedAddress"],
  ["http://mapped.example/", "refusedAddress"],
  ["http://mixed.example/", "refusedAddress"],
  ["http://mixed6.example/", "refusedAddress"],
  ["http://zoned.example/", "refusedAddress"],
  ["http://nowhere.example/", "unresolvable"],
  ["http://nonsense.example/", "unresolvable"],
  ["http://unknown.example/", "unresolvable"],
  ["", "badUrl"],
  ["example.org", "badUrl"],
  ["//example.org/", "badUrl"],
  ["/path", "badUrl"],
  ["http:example.org", "badUrl"],
  ["http:/example.org", "badUrl"],
  ["http:///example.org/", "badUrl"],
  ["http://", "badUrl"],
  ["http://?q", "badUrl"],
  ["http://./", "badUrl"],
  [" http://example.org/", "badUrl"],
  ["http://example.org\\@10.0.0.1/", "badUrl"],
  ["http:\\\\10.0.0.1/", "badUrl"],
  ["http://10.0.\t0.1/", "badUrl"],
  ["http://example.org/\r\nhost: inner.example", "badUrl"],
  ["http://user@example.org/", "badUrl"],
  ["http://user:secret@example.org/", "badUrl"],
  ["http://example.org@10.0.0.1/", "badUrl"],
  ["http://@10.0.0.1/", "badUrl"],
  ["http://:@10.0.0.1/", "badUrl"],
  ["http://example.org:80@10.0.0.1/", "badUrl"],
  ["http://1.2.3.4.5/", "badUrl"],
  ["http://256.256.256.256/", "badUrl"],
  ["http://[fe80::1%25eth0]/", "badUrl"],
  ["http://[::1/", "badUrl"],
  ["http://exa mple.org/", "badUrl"],
  ["http://exa%00mple.org/", "badUrl"],
  ["http://example.org:0/", "badUrl"],
  ["http://example.org:65536/", "badUrl"],
  ["http://example.org:-1/", "badUrl"],
  ["ftp://example.org/", "badUrl"],
  ["file:///etc/passwd", "badUrl"],
  ["gopher://10.0.0.1:6379/_FLUSHALL", "badUrl"],
  ["data:text/plain,hello", "badUrl"],
  ["javascript:alert(1)", "badUrl"],
  ["unix:/var/run/docker.sock", "badUrl"],
  ["ws://example.org/", "badUrl"],
  ["jar:http://example.org!/", "badUrl"],
  [`http://example.org/${"a".repeat(9000)}`, "badUrl"],
];

/** Refused as soon as others can reach Medley. */
const LOOPBACK_URLS = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://127.255.255.254/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0177.0.0.1/",
  "http://017700000001/",
  "http://[::1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://localhost/",
  "http://LOCALHOST./",
  "http://identity.localhost/",
  "http://a.b.localhost/",
  "http://loopback.example/",
  "http://ⓛocalhost/",
];

describe("hostile URLs", () => {
  for (const listensOnLoopbackOnly of [true, false]) {
    it.each(ALWAYS_REFUSED)(`refuses %j (loopback only: ${listensOnLoopbackOnly})`, async (url, reason) => {
      const outbound = outboundWith({ listensOnLoopbackOnly });
      const error = await failureOf(outbound.request({ method: "GET", url, timeoutMs: 60_000 }));
      expect([error.reason, error.message]).toEqual([reason, expect.stringMatching(/\w.*\.$/)]);
    });
  }

  it.each(LOOPBACK_URLS)("refuses %j while others can reach us", async (url) => {
    const error = await failureOf(outboundWith({}).request({ method: "GET", url, timeoutMs: 60_000 }));
    expect(error.reason).toBe("refusedAddress");
    expect(error.message).toContain("loopback");
  });

  it("keeps the address behind a name to itself", async () => {
    const error = await failureOf(outboundWith({}).request({ method: "GET", url: "http://inner.example/" }));
    expect(error.message).toBe(
      "inner.example leads to a private address, which may not be reached unless the configuration allows it.",
    );
  });
});

describe("resolveGuarded", () => {
  it.each([
    ["8.8.8.8", "8.8.8.8", 4],
    ["134744072", "8.8.8.8", 4],
    ["[2606:4700::1111]", "2606:4700::1111", 6],
    ["2606:4700::1111", "2606:4700::1111", 6],
    ["::ffff:8.8.8.8", "8.8.8.8", 4],
    ["64:ff9b::808:808", "64:ff9b::808:808", 6],
  ])("gives the address of %s", async (host, address, family) => {
    const vetted = await outboundWith({}).resolveGuarded(host);
    expect(vetted.addresses).toEqual([{ address, family }]);
  });

  it("resolves localhost names to loopback without asking anybody", async () => {
    const vetted = await outboundWith({ listensOnLoopbackOnly: true }).resolveGuarded("Phones.localhost.");
    expect(vetted).toEqual({
      host: "phones.localhost",
      addresses: [
        { address: "127.0.0.1", family: 4 },
        { address: "::1", family: 6 },
      ],
    });
  });

  it.each(["", "a/b", "a@b", "a:80", "[::1]:80", "[::1", "a b", "a\r\nb", "a#b", "a?b", "a%2eb", "a\\b"])(
    "takes %j for no host",
    async (host) => {
      expect(
        (await failureOf(outboundWith({ listensOnLoopbackOnly: true }).resolveGuarded(host))).reason,
      ).toBe("badUrl");
    },
  );

  it("refuses what requests refuse", async () => {
    expect((await failureOf(outboundWith({}).resolveGuarded("10.0.0.1"))).reason).toBe("refusedAddress");
    expect((await failureOf(outboundWith({}).resolveGuarded("mixed.example"))).reason).toBe("refusedAddress");
    expect((await failureOf(outboundWith({}).resolveGuarded("unknown.example"))).reason).toBe("unresolvable");
  });
});

describe("allowed networks", () => {
  const cases: [string, string, boolean][] = [
    ["10.0.0.0/8", "10.0.0.5", true],
    ["10.0.0.0/8", "::ffff:10.0.0.5", true],
    ["10.0.0.0/8", "inner.example", true],
    ["10.0.0.0/8", "192.168.0.1", false],
    ["10.0.0.0/8", "mixed6.example", false],
    ["10.0.0.5", "10.0.0.5", true],
    ["10.0.0.5", "10.0.0.6", false],
    ["127.0.0.0/8", "127.0.0.1", true],
    ["127.0.0.0/8", "::1", false],
    ["fd00:ec2::/32", "fd00:ec2::254", true],
    ["::1", "::1", true],
    ["inner.example", "inner.example", true],
    ["Inner.Example.", "inner.example", true],
    ["inner.example", "10.0.0.5", false],
    ["inner.example", "metadata.example", false],
    ["*.example", "inner.example", true],
    ["*.ample", "inner.example", false],
    ["localhost", "localhost", true],
    ["localhost", "identity.localhost", false],
  ];
  it.each(cases)("%s and %s: %s", async (entry, host, isAllowed) => {
    const work = outboundWith({ allowedNetworks: [entry] }).resolveGuarded(host);
    if (isAllowed) expect((await work).addresses.length).toBeGreaterThan(0);
    else expect((await failureOf(work)).reason).toBe("refusedAddress");
  });

  it.each(["", "10.0.0.0/33", "10.0.0", "http://a.example", "a b", "*", "*.", "::1/129", "a..b"])(
    "says that %j is no entry",
    (entry) => {
      expect(() => outboundWith({ allowedNetworks: [entry] })).toThrow(`Allowed network "${entry}"`);
    },
  );
});
