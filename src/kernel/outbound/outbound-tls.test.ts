/** Requests over TLS to real servers: what is trusted, and who we say we are. */
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clientCertificatePassword,
  clientCertificatePfx,
} from "../../../tests/support/client-certificate.ts";
import { failureOf } from "../../../tests/support/outbound-failure.ts";
import { createEphemeralAuthority, type EphemeralAuthority } from "../tls/index.ts";
import { createOutbound, type OutboundRequest } from "./index.ts";

const CLIENT_PFX = Buffer.from(clientCertificatePfx, "base64");

let authority: EphemeralAuthority;
let server: https.Server;
let port: number;

beforeAll(async () => {
  authority = await createEphemeralAuthority({ hosts: ["a.localhost", "b.localhost"], nowMs: Date.now() });
  const { certificatePem: cert, keyPem: key } = authority;
  server = https.createServer(
    { cert, key, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const socket = request.socket as TLSSocket & { servername?: string };
      if (request.url === "/elsewhere") response.writeHead(302, { location: `https://b.localhost:${port}/` });
      if (request.url === "/here") response.writeHead(302, { location: "/" });
      response.end(
        JSON.stringify({ client: socket.getPeerCertificate()?.subject?.CN, sni: socket.servername }),
      );
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const outboundWith = (certificateAuthorities: string[]) =>
  createOutbound({
    listensOnLoopbackOnly: true,
    allowedNetworks: [],
    userAgent: "medley-test",
    certificateAuthorities,
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
  });
function get(url: string, input: Partial<OutboundRequest> = {}, certificateAuthorities?: string[]) {
  const outbound = outboundWith(certificateAuthorities ?? [authority.certificateAuthorityPem]);
  return outbound.request({ method: "GET", url, ...input });
}

async function seenBy(work: ReturnType<typeof get>): Promise<unknown> {
  return JSON.parse((await work).body.toString());
}

describe("trust", () => {
  it("accepts a server that a trusted authority vouches for, by name and by address", async () => {
    expect(await seenBy(get(`https://a.localhost:${port}/`))).toEqual({ sni: "a.localhost" });
    expect((await get(`https://127.0.0.1:${port}/`)).status).toBe(200);
  });

  it("refuses a server nobody vouches for", async () => {
    const error = await failureOf(get(`https://a.localhost:${port}/`, {}, []));
    const problem = `No secure connection to a.localhost:${port}: its certificate is not trusted`;
    expect([error.reason, error.message]).toEqual(["tls", expect.stringContaining(problem)]);
  });

  it("refuses a server under another name", async () => {
    const error = await failureOf(get(`https://other.example:${port}/`));
    expect([error.reason, error.message]).toEqual(["tls", expect.stringContaining("other.example")]);
  });

  it("tells servers that speak no TLS from servers that do not answer", async () => {
    const plain = net.createServer((socket) =>
      socket
        .on("error", () => {})
        .resume()
        .end("HTTP/1.1 200 OK\r\n\r\n"),
    );
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    const plainPort = (plain.address() as AddressInfo).port;
    expect((await failureOf(get(`https://localhost:${plainPort}/`))).reason).toBe("tls");
    await new Promise((resolve) => plain.close(resolve));
    expect((await failureOf(get(`https://localhost:${plainPort}/`))).reason).toBe("connectFailed");
  });
});

describe("the ciphers that are offered", () => {
  /** In a ClientHello, in hexadecimal digits. */
  function ciphersIn(hello: Buffer): readonly string[] {
    const session = 5 + 4 + 2 + 32;
    const from = session + 1 + (hello[session] ?? 0);
    const ciphers = hello.subarray(from + 2, from + 2 + hello.readUInt16BE(from));
    return ciphers.toString("hex").match(/.{4}/g) ?? [];
  }
  /** Those of DHE-RSA in the defaults of Node: the server chooses the group. */
  const CHOSEN_GROUP = ["009e", "009f", "ccaa", "0067", "006b", "0033", "0039"];
  const certificate = {
    pfx: Buffer.from(clientCertificatePfx, "base64"),
    passphrase: clientCertificatePassword,
  };
  const ways: readonly (readonly [string, (url: string) => unknown])[] = [
    ["usually", (url) => get(url, {}, []).catch(() => {})],
    ["with further authorities", (url) => get(url).catch(() => {})],
    ["with a client certificate", (url) => get(url, { clientCertificate: certificate }).catch(() => {})],
    [
      "with a pinned certificate",
      (url) => get(url, { pinnedCertificates: [authority.certificatePem] }).catch(() => {}),
    ],
    [
      "for streams",
      (url) =>
        outboundWith([]).stream(
          { url: new URL(url), method: "GET", headers: [], body: undefined, timeoutMs: 1000 },
          { head() {}, data: () => true, end() {}, fail() {} },
        ),
    ],
  ];
  it.each(ways)("%s let no server choose a group of numbers", async (_way, ask) => {
    let tell: (hello: Buffer) => void = () => {};
    const told = new Promise<Buffer>((resolve) => {
      tell = resolve;
    });
    const listening = net.createServer((socket) =>
      socket
        .on("error", () => {})
        .once("data", (hello: Buffer) => {
          tell(hello);
          socket.destroy();
        }),
    );
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    ask(`https://a.localhost:${(listening.address() as AddressInfo).port}/`);
    const offered = ciphersIn(await told);
    expect(offered).toContain("c02f");
    expect(CHOSEN_GROUP.filter((one) => offered.includes(one))).toEqual([]);
    listening.close();
  });
});

describe("pinned certificates", () => {
  const url = () => `https://a.localhost:${port}/`;

  it("vouch for a server whose authority nobody else knows", async () => {
    for (const pinned of [
      [authority.certificatePem, authority.certificateAuthorityPem],
      [authority.certificateAuthorityPem],
    ])
      expect((await get(url(), { pinnedCertificates: pinned }, [])).status).toBe(200);
    expect((await get(url(), { pinnedCertificates: [authority.certificatePem] })).status).toBe(200);
  });

  it("refuse everybody else, although an authority vouches for them, after a redirect too", async () => {
    const stranger = await createEphemeralAuthority({ hosts: ["a.localhost"], nowMs: Date.now() });
    const authorities = [authority.certificateAuthorityPem, stranger.certificateAuthorityPem];
    const elsewhere = https.createServer(
      { cert: stranger.certificatePem, key: stranger.keyPem },
      (_, response) => response.writeHead(302, { location: url() }).end(),
    );
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    try {
      const redirecting = `https://a.localhost:${(elsewhere.address() as AddressInfo).port}/`;
      expect((await get(redirecting, {}, authorities)).status).toBe(200);
      const pinnedCertificates = [stranger.certificatePem];
      const answer = await get(redirecting, { pinnedCertificates, redirectsMax: 0 }, authorities);
      expect(answer.status).toBe(302);
      for (const refused of [redirecting, url()]) {
        const error = await failureOf(get(refused, { pinnedCertificates }, authorities));
        expect([error.reason, error.message]).toEqual([
          "tls",
          expect.stringContaining("not one of those pinned"),
        ]);
      }
    } finally {
      elsewhere.closeAllConnections();
      elsewhere.close();
    }
  });

  it("do not make up for a wrong name", async () => {
    const pinnedCertificates = [authority.certificatePem];
    const error = await failureOf(get(`https://other.example:${port}/`, { pinnedCertificates }));
    expect([error.reason, error.message]).toEqual(["tls", expect.stringContaining("other.example")]);
  });
});

describe("client certificates", () => {
  const fromPfx = { pfx: CLIENT_PFX, passphrase: clientCertificatePassword };

  it("are shown to the server, from PFX and from PEM", async () => {
    const url = `https://a.localhost:${port}/`;
    expect(await seenBy(get(url, { clientCertificate: fromPfx }))).toMatchObject({
      client: "scheduler client",
    });
    const fromPem = { cert: authority.certificatePem, key: authority.keyPem };
    expect(await seenBy(get(url, { clientCertificate: fromPem }))).toMatchObject({ client: "Medley" });
  });

  it("are not lent to who gives a wrong passphrase after a right one", async () => {
    const url = `https://a.localhost:${port}/`;
    const { request } = outboundWith([authority.certificateAuthorityPem]);
    const withPassphrase = (passphrase: string) =>
      request({ method: "GET", url, clientCertificate: { pfx: CLIENT_PFX, passphrase } });
    expect(await seenBy(withPassphrase(clientCertificatePassword))).toMatchObject({
      client: "scheduler client",
    });
    expect((await failureOf(withPassphrase("wrong"))).message).toMatch(/client certificate/);
    expect(await seenBy(withPassphrase(clientCertificatePassword))).toMatchObject({
      client: "scheduler client",
    });
  });

  it("stay with the origin they were given for", async () => {
    const input = { clientCertificate: fromPfx };
    expect(await seenBy(get(`https://a.localhost:${port}/here`, input))).toMatchObject({
      client: "scheduler client",
    });
    expect(await seenBy(get(`https://a.localhost:${port}/elsewhere`, input))).toEqual({ sni: "b.localhost" });
  });

  it.each([
    ["a wrong passphrase", { pfx: CLIENT_PFX, passphrase: "wrong" }],
    ["no PFX file", { pfx: Buffer.from("nonsense") }],
    ["a certificate without key", { cert: "-----BEGIN CERTIFICATE-----" }],
    ["nonsense", { cert: "a", key: "b" }],
    ["nothing", {}],
  ])("with %s are refused", async (_title, clientCertificate) => {
    const error = await failureOf(get(`https://a.localhost:${port}/`, { clientCertificate }));
    expect([error.reason, error.message]).toEqual(["tls", expect.stringMatching(/client certificate/)]);
  });
});
