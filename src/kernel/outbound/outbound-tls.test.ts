/** Requests over TLS to real servers: what is trusted, and who we say we are. */
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEphemeralAuthority, type EphemeralAuthority } from "../tls/index.ts";
import { createOutbound, OutboundError, type OutboundRequest } from "./index.ts";

/** A self-signed certificate "test client" with its key, made for this test; the passphrase is "open". */
const CLIENT_PFX = Buffer.from(
  "MIIEBgIBAzCCA8AGCSqGSIb3DQEHAaCCA7EEggOtMIIDqTCCAmEGCSqGSIb3DQEHBqCCAlIwggJOAgEAMIICRwYJKoZIhvcNAQcB" +
    "MFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAg+aLLF2gBFfgIBATAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQASDC" +
    "EgoEC8lxhEw5Qcw004CCAeDWTTZbcu3Ugo8AH8ZcXPL101gSMgJfoL+JTjKYK+/gBXNGBToJ5R6znu0l9XyHTTZqV+v7PI24s1mQ" +
    "lxtASZvtyF20KlvFtUUzFH0WuNR31uImy6dYM1uojE3Yo62dph1WRx2DDZjLQSMKxSKW640NSysP8Jrx8DM/L9ObY9NGuXjs4WXN" +
    "RdBt27Da2zL8Q0eAVesYBlbXQIn8ox9MuaBiwLckkKLEv9BVaZYm8HM3GQOQGj+dpLjzQp1PHZDO/muM1FBISOl2drHPiL6kLpGk" +
    "oeYkgF8kHIKyhfdpz3yeArGjVKSC8lBYOI39tX19RNAgniRJ9CnfOIzC5ZzcvWi7DrIt4NtL0axKX6VoKq1E2sw7ZAc1DDhbXjCo" +
    "jHT7923cIfOPn65kv1V+ZX1X3xxWKUXOSVsiYLJkDKEGBbOCxz4bbwvoYU9ZZPkNs+Cc9K468GNXCOlSyQ6WqYKmj0za7Ne9gqyR" +
    "yhxCAcX1DrQbVvjBrgZpzPnVjG/Rfg8/j/9VjXUYpk217ZZCsMQA00NQVOX1SJ7TfOkb1ZAT+FYqQO9OM7IVmzBc9V+QBqgBlQVu" +
    "Gqso3MRWcFtKzxbYjHAewHhldE+k+NPAEE45rKMsjOVxGVzzGh3E5yYH4Be0nF8wggFABgkqhkiG9w0BBwGgggExBIIBLTCCASkw" +
    "ggElBgsqhkiG9w0BDAoBAqCB7jCB6zBWBgkqhkiG9w0BBQ0wSTAoBgkqhkiG9w0BBQwwGwQI8LpfxsJab4QCAQEwDAYIKoZIhvcN" +
    "AgkFADAdBglghkgBZQMEASoEEF9FX4JChz8ikJ3ZKd9EnvkEgZC/WXbQ6XV8IB8v6WVPQz4OlFcqbpOTNxBduLTGa2Fd+loTXZ3I" +
    "K53CPMuj7eeUKDJdHpBBnIwr4dDjTp2oGQ9aTgnpAeIxhROI5lqOcaVQJ8xjuX/AgQB7jM1oNct+VJgGtZdKEMv1fx42YXoBTeW3" +
    "bQMABua7sGl75RE/V3vVXJRHjosVfzGrmn85VlQ0CFAxJTAjBgkqhkiG9w0BCRUxFgQUUYmj9k9IpjXSvX94vsqYK9HjzSQwPTAx" +
    "MA0GCWCGSAFlAwQCAQUABCChz0vmwo//poJGzLJ+oZ4qGZRjbEZglGYVpXgLiyUwBAQI0Y4/fXU6wMA=",
  "base64",
);

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

function get(url: string, input: Partial<OutboundRequest> = {}, certificateAuthorities?: string[]) {
  const outbound = createOutbound({
    listensOnLoopbackOnly: true,
    allowedNetworks: [],
    userAgent: "medley-test",
    certificateAuthorities: certificateAuthorities ?? [authority.certificateAuthorityPem],
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
  });
  return outbound.request({ method: "GET", url, ...input });
}

async function failureOf(work: Promise<unknown>): Promise<OutboundError> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error as OutboundError;
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
    expect([error.reason, error.message]).toEqual(["tls", expect.stringContaining(`a.localhost:${port}`)]);
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

describe("client certificates", () => {
  const fromPfx = { pfx: CLIENT_PFX, passphrase: "open" };

  it("are shown to the server, from PFX and from PEM", async () => {
    const url = `https://a.localhost:${port}/`;
    expect(await seenBy(get(url, { clientCertificate: fromPfx }))).toMatchObject({ client: "test client" });
    const fromPem = { cert: authority.certificatePem, key: authority.keyPem };
    expect(await seenBy(get(url, { clientCertificate: fromPem }))).toMatchObject({ client: "Medley" });
  });

  it("stay with the origin they were given for", async () => {
    const input = { clientCertificate: fromPfx };
    expect(await seenBy(get(`https://a.localhost:${port}/here`, input))).toMatchObject({
      client: "test client",
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
