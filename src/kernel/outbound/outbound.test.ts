/** Real requests to real servers on loopback: limits, redirects, pinning, headers. */
import { randomBytes } from "node:crypto";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { failureOf } from "../../../tests/support/outbound-failure.ts";
import { createOutbound, type OutboundOptions, type OutboundRequest } from "./index.ts";

type SeenRequest = {
  method: string | undefined;
  path: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
};

const seen: SeenRequest[] = [];
const bigBody = randomBytes(300_000);
let server: http.Server;
let port: number;
const extraServers: net.Server[] = [];

function handle(request: http.IncomingMessage, response: http.ServerResponse, body: string): void {
  const url = new URL(request.url ?? "/", "http://unused");
  seen.push({ method: request.method, path: request.url, headers: request.headers, body });
  switch (url.pathname) {
    case "/redirect":
      response.writeHead(Number(url.searchParams.get("status")), {
        location: url.searchParams.get("to") ?? "",
      });
      response.end("moved ".repeat(1000));
      break;
    case "/chain": {
      const left = Number(url.searchParams.get("left"));
      response
        .writeHead(left > 0 ? 302 : 200, left > 0 ? { location: `/chain?left=${left - 1}` } : {})
        .end("end");
      break;
    }
    case "/big":
      response.writeHead(200, url.searchParams.has("declared") ? { "content-length": bigBody.length } : {});
      response.end(bigBody);
      break;
    case "/sized":
      response.end(Buffer.alloc(Number(url.searchParams.get("bytes"))));
      break;
    case "/drip": {
      response.writeHead(200);
      const timer = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(timer));
      break;
    }
    case "/silent":
      break;
    case "/cut":
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
      break;
    case "/headers":
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      response.setHeader("x-many", ["one", "two"]);
      response.end("ok");
      break;
    case "/long-headers":
      response.setHeader("x-long", "x".repeat(50_000));
      response.end("ok");
      break;
    default:
      response.end("hello");
  }
}

beforeAll(async () => {
  server = http.createServer({ joinDuplicateHeaders: true }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => handle(request, response, Buffer.concat(chunks).toString()));
  });
  port = await listen(server);
});

afterEach(() => {
  seen.length = 0;
  for (const extra of extraServers.splice(0)) extra.close();
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function listen(target: net.Server, host = "127.0.0.1"): Promise<number> {
  return new Promise((resolve) => {
    target.listen(0, host, () => resolve((target.address() as AddressInfo).port));
  });
}

function outboundWith(options: Partial<OutboundOptions> = {}) {
  return createOutbound({
    listensOnLoopbackOnly: true,
    allowedNetworks: [],
    userAgent: "medley-test/1",
    ...options,
  });
}

function get(path: string, input: Partial<OutboundRequest> = {}, options: Partial<OutboundOptions> = {}) {
  return outboundWith(options).request({ method: "GET", url: `http://127.0.0.1:${port}${path}`, ...input });
}

describe("a request", () => {
  it("brings back status, headers, body and address", async () => {
    const response = await get("/headers?q=1#part");
    expect(response).toMatchObject({
      status: 200,
      truncated: false,
      url: `http://127.0.0.1:${port}/headers?q=1`,
    });
    expect(response.body.toString()).toBe("ok");
    expect(response.headers).toMatchObject({ "set-cookie": "a=1, b=2", "x-many": "one, two" });
  });

  it("sends the body as it is, with its length", async () => {
    await get("/", { method: "post", body: "größe" });
    await get("/", { method: "PUT", body: Buffer.from("xxabcxx").subarray(2, 5) });
    await get("/", { method: "POST" });
    expect(seen.map(({ method, body, headers }) => [method, body, headers["content-length"]])).toEqual([
      ["POST", "größe", "7"],
      ["PUT", "abc", "3"],
      ["POST", "", "0"],
    ]);
  });

  it("identifies itself, asks for plain bytes and signs in with Basic", async () => {
    await get("/", { basic: { username: "ann", password: "s:é" }, headers: { Authorization: "other" } });
    expect(seen[0]?.headers).toMatchObject({
      "user-agent": "medley-test/1",
      "accept-encoding": "identity",
      authorization: `Basic ${Buffer.from("ann:s:é").toString("base64")}`,
      host: `127.0.0.1:${port}`,
    });
  });

  it("does not let callers set headers of the connection", async () => {
    const headers = {
      Host: "inner.example",
      "Transfer-Encoding": "chunked",
      "Content-Length": "9999",
      Connection: "keep-alive, X-Private",
      "X-Private": "1",
      Upgrade: "websocket",
      Expect: "100-continue",
      TE: "trailers",
      "Proxy-Authorization": "Basic x",
      "Accept-Encoding": "gzip",
      "X-Kept": "yes",
    };
    const response = await get("/", { method: "POST", body: "abc", headers });
    expect(response.status).toBe(200);
    expect(seen[0]?.body).toBe("abc");
    expect(seen[0]?.headers).toEqual({
      "accept-encoding": "identity",
      connection: "close",
      "content-length": "3",
      host: `127.0.0.1:${port}`,
      "user-agent": "medley-test/1",
      "x-kept": "yes",
    });
  });

  it.each([
    [{ "x-a": "1\r\nx-injected: 1" }],
    [{ "x-a": "1\nx-injected: 1" }],
    [{ "x-a": "1\u0000" }],
    [{ "x-a": "snow\u2603" }],
    [{ "x-a\r\nx-injected": "1" }],
    [{ "x a": "1" }],
    [{ "x:a": "1" }],
    [{ "": "1" }],
  ])("refuses the headers %j", async (headers: Record<string, string>) => {
    const error = await failureOf(get("/", { headers }));
    expect(error.reason).toBe("badRequest");
    expect(error.message).toContain("contains characters that headers cannot carry");
    expect(seen).toEqual([]);
  });

  it.each(["", "GET /x HTTP/1.1\r\nx:", "G ET", "CONNECT", "trace", "É"])(
    "refuses the method %j",
    async (method) => {
      expect((await failureOf(get("/", { method }))).reason).toBe("badRequest");
      expect(seen).toEqual([]);
    },
  );

  it("limits what callers can make it send as headers", async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, "1"]));
    expect((await get("/", { headers: many(100) })).status).toBe(200);
    expect((await failureOf(get("/", { headers: many(101) }))).message).toContain("more than 100 headers");
    const sized = (bytes: number) =>
      Object.fromEntries(["x-a", "x-b", "x-c"].map((name) => [name, "1".repeat(bytes / 3 - name.length)]));
    // The server that answers takes no more than half of that, and says so.
    expect((await get("/", { headers: sized(32_766) })).status).toBe(431);
    const longer = { ...sized(32_766), "x-d": "" };
    expect((await failureOf(get("/", { headers: longer }))).message).toContain("longer than 32768 bytes");
    expect((await failureOf(get("/", { basic: { username: "a:b", password: "" } }))).reason).toBe(
      "badRequest",
    );
  });

  it("reaches names below localhost on this machine, over IPv4 and IPv6", async () => {
    const url = `http://identity.localhost:${port}/`;
    expect((await get("/", { url })).status).toBe(200);
    expect(seen[0]?.headers.host).toBe(`identity.localhost:${port}`);
    const onlyIpv6 = http.createServer((_request, response) => response.end("six"));
    extraServers.push(onlyIpv6);
    const port6 = await listen(onlyIpv6, "::1");
    expect((await get("/", { url: `http://localhost:${port6}/` })).body.toString()).toBe("six");
    expect((await get("/", { url: `http://[::1]:${port6}/` })).body.toString()).toBe("six");
    expect((await get("/", { url: `http://[::ffff:127.0.0.1]:${port}/` })).body.toString()).toBe("hello");
  });
});

describe("resolving a name", () => {
  it("happens once, and the connection goes to the address that was checked", async () => {
    const asked: string[] = [];
    const lookup = async (host: string) => {
      asked.push(host);
      // A rebinding name server: the first answer is harmless, later ones are not.
      return [{ address: asked.length === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 as const }];
    };
    const outbound = outboundWith({ lookup });
    const url = `http://rebind.example:${port}/`;
    expect((await outbound.request({ method: "GET", url })).status).toBe(200);
    expect(asked).toEqual(["rebind.example"]);
    expect(seen[0]?.headers.host).toBe(`rebind.example:${port}`);
    expect((await failureOf(outbound.request({ method: "GET", url }))).reason).toBe("refusedAddress");
    expect(seen).toHaveLength(1);
  });

  it("checks again on each redirect, even to the same name", async () => {
    const answers = ["127.0.0.1", "10.0.0.1"];
    const lookup = async () => [{ address: answers.shift() ?? "", family: 4 as const }];
    const error = await failureOf(
      get("/", { url: `http://rebind.example:${port}/chain?left=1` }, { lookup }),
    );
    expect(error.reason).toBe("refusedAddress");
    expect(seen).toHaveLength(1);
  });

  it("takes the next address when the first one does not answer", async () => {
    const lookup = async () => [
      { address: "127.0.0.2", family: 4 as const },
      { address: "127.0.0.1", family: 4 as const },
    ];
    expect((await get("/", { url: `http://two.example:${port}/` }, { lookup })).status).toBe(200);
  });

  it("is part of the time limit", async () => {
    const lookup = () => new Promise<never>(() => {});
    const error = await failureOf(get("/", { url: "http://slow.example/", timeoutMs: 60 }, { lookup }));
    expect([error.reason, error.message]).toEqual([
      "timeout",
      "slow.example did not answer completely within 60 ms.",
    ]);
    expect((await failureOf(outboundWith({ lookup }).resolveGuarded("slow.example", 60))).reason).toBe(
      "timeout",
    );
  });
});

describe("limits", () => {
  it.each(["/drip", "/silent"])("ends %s when the time is over", async (path) => {
    // Neither of them would ever end by itself.
    const error = await failureOf(get(path, { timeoutMs: 200 }));
    expect(error.reason).toBe("timeout");
  });

  it("closes the connection of a request that ran out of time", async () => {
    const silent = net.createServer();
    extraServers.push(silent);
    const closed = new Promise((resolve) => {
      silent.once("connection", (socket) => socket.resume().once("close", resolve));
    });
    const silentPort = await listen(silent);
    await failureOf(get("/", { url: `http://127.0.0.1:${silentPort}/`, timeoutMs: 100 }));
    await closed;
  });

  it.each(["/big", "/big?declared"])("refuses %s when it is too large", async (path) => {
    const error = await failureOf(get(path, { responseBytesMax: 299_999 }));
    expect([error.reason, error.message]).toEqual(["tooLarge", "The answer is longer than 299999 bytes."]);
  });

  it.each(["/big", "/big?declared"])("cuts %s when asked to", async (path) => {
    const response = await get(path, { responseBytesMax: 1000, whenTooLarge: "truncate" });
    expect(response.truncated).toBe(true);
    expect(response.body.equals(bigBody.subarray(0, 1000))).toBe(true);
  });

  it("takes addresses of 8192 characters, and a megabyte unless more is asked for", async () => {
    const origin = `http://127.0.0.1:${port}/`;
    const url = (length: number) => origin.padEnd(length, "a");
    expect((await get("/", { url: url(8192) })).status).toBe(200);
    expect((await failureOf(get("/", { url: url(8193) }))).reason).toBe("badUrl");
    expect((await get(`/sized?bytes=${1024 * 1024}`)).body).toHaveLength(1024 * 1024);
    expect((await failureOf(get(`/sized?bytes=${1024 * 1024 + 1}`))).reason).toBe("tooLarge");
  });

  it("takes what exactly fits, and HEAD answers whatever length they declare", async () => {
    const response = await get("/big", { responseBytesMax: bigBody.length });
    expect([response.truncated, response.body.equals(bigBody)]).toEqual([false, true]);
    const head = await get("/big?declared", { method: "HEAD", responseBytesMax: 10 });
    expect([head.status, head.body.length, head.headers["content-length"]]).toEqual([200, 0, "300000"]);
  });

  it("refuses endless headers, cut answers, closed ports and things that are not HTTP", async () => {
    expect((await failureOf(get("/long-headers"))).reason).toBe("tooLarge");
    expect((await failureOf(get("/cut"))).reason).toBe("connectFailed");
    const telnet = net.createServer((socket) => socket.on("error", () => {}).end("220 hello\r\n"));
    extraServers.push(telnet);
    const telnetPort = await listen(telnet);
    expect((await failureOf(get("/", { url: `http://127.0.0.1:${telnetPort}/` }))).reason).toBe(
      "connectFailed",
    );
    const hangup = net.createServer((socket) => socket.destroy());
    const hangupPort = await listen(hangup);
    expect((await failureOf(get("/", { url: `http://127.0.0.1:${hangupPort}/` }))).reason).toBe(
      "connectFailed",
    );
    await new Promise((resolve) => hangup.close(resolve));
    const error = await failureOf(get("/", { url: `http://127.0.0.1:${hangupPort}/` }));
    expect([error.reason, error.message]).toEqual(["connectFailed", expect.stringContaining("ECONNREFUSED")]);
  });
});

describe("redirects", () => {
  const to = (status: number, location: string) =>
    `/redirect?status=${status}&to=${encodeURIComponent(location)}`;

  it("are followed up to the limit and no further", async () => {
    const response = await get("/chain?left=3", { redirectsMax: 3 });
    expect([response.status, response.url]).toEqual([200, `http://127.0.0.1:${port}/chain?left=0`]);
    expect((await failureOf(get("/chain?left=4", { redirectsMax: 3 }))).reason).toBe("tooManyRedirects");
    expect((await get("/chain?left=5")).status).toBe(200);
    expect((await failureOf(get("/chain?left=6"))).reason).toBe("tooManyRedirects");
  });

  it("are handed back when none may be followed, or when they lead nowhere", async () => {
    const response = await get("/chain?left=3", { redirectsMax: 0 });
    expect([response.status, response.headers.location, response.body.toString()]).toEqual([
      302,
      "/chain?left=2",
      "end",
    ]);
    expect((await get(to(304, "/"))).status).toBe(304);
  });

  it.each([
    ["http://10.0.0.1/", "refusedAddress"],
    ["http://169.254.169.254/latest/meta-data/", "refusedAddress"],
    ["//192.168.0.1/", "refusedAddress"],
    ["http://0xa9fea9fe/", "refusedAddress"],
    ["file:///etc/passwd", "badUrl"],
    ["ftp://127.0.0.1/", "badUrl"],
    ["http://ann:secret@127.0.0.1/", "badUrl"],
    ["http://[nonsense/", "badUrl"],
  ])("to %s are refused", async (location, reason) => {
    expect((await failureOf(get(to(302, location)))).reason).toBe(reason);
    expect(seen).toHaveLength(1);
  });

  it("to loopback are refused while others can reach us", async () => {
    const options = { listensOnLoopbackOnly: false, allowedNetworks: ["feeds.example"] };
    const lookup = async () => [{ address: "127.0.0.1", family: 4 as const }];
    const url = `http://feeds.example:${port}${to(302, `http://127.0.0.1:${port}/`)}`;
    expect((await failureOf(get("/", { url }, { ...options, lookup }))).reason).toBe("refusedAddress");
    expect(seen).toHaveLength(1);
  });

  it.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [301, "PUT", "PUT", "data"],
    [302, "DELETE", "DELETE", "data"],
    [307, "POST", "POST", "data"],
    [308, "POST", "POST", "data"],
    [303, "HEAD", "HEAD", ""],
  ])("with %i turn %s into %s", async (status, method, nextMethod, nextBody) => {
    const body = method === "HEAD" ? undefined : "data";
    await get(to(status, "/next"), {
      method,
      body,
      headers: { "content-type": "text/plain", "x-kept": "1" },
    });
    expect(seen[1]).toMatchObject({
      method: nextMethod,
      path: "/next",
      body: nextBody,
      headers: { "x-kept": "1" },
    });
    expect(seen[1]?.headers["content-type"]).toBe(nextBody || method === "HEAD" ? "text/plain" : undefined);
  });

  it("keep credentials within an origin and drop them on the way to another", async () => {
    const credentials = {
      basic: { username: "ann", password: "secret" },
      headers: { Cookie: "session=1", "X-Api-Key": "1", "x-own-secret": "1", "webhook-signature": "1" },
    };
    const names = ["authorization", "cookie", "x-api-key", "x-own-secret"];
    await get(to(307, "/same"), credentials);
    expect(Object.keys(seen[1]?.headers ?? {})).toEqual(expect.arrayContaining(names));
    seen.length = 0;
    await get(to(307, `http://other.localhost:${port}/other`), credentials);
    // A signature is no secret, and a receiver that has moved checks it.
    expect(seen[1]?.headers).toMatchObject({ "webhook-signature": "1", host: `other.localhost:${port}` });
    expect(Object.keys(seen[1]?.headers ?? {}).filter((name) => names.includes(name))).toEqual([]);
  });

  it("do not bring credentials back on returning to the first origin", async () => {
    const back = `http://127.0.0.1:${port}/back`;
    const there = `http://other.localhost:${port}${to(302, back)}`;
    await get(to(302, there), { basic: { username: "ann", password: "secret" } });
    expect(seen.map(({ headers }) => headers.authorization !== undefined)).toEqual([true, false, false]);
  });
});
