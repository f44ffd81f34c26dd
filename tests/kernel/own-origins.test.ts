/** Others' programs have hosts of their own: browsers are sent there, and nothing else answers there. */
import { request } from "node:https";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StartOptions } from "../../src/app/start.ts";
import { Backend } from "../support/backend.ts";
import { newGateway } from "../support/gateway.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const NAVIGATES = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Site: none\r\nAccept: text/html,*/*;q=0.8\r\n";
const services = ["api-diagnostics", "resource-manager", "configuration-stores"];
const backend = new Backend({
  "/cookies": (_request, response) => void response.writeHead(200, { "set-cookie": "own=1" }).end("ok"),
});
beforeAll(() => backend.start());
afterAll(() => backend.stop());

/** The head of the answer, and its body behind that. */
function ask(instance: Instance, path: string, host: string, more = "", method = "GET"): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const text = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
    const socket = connect(Number(new URL(instance.url).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (part) => {
      heard += part;
    });
    socket.on("close", () => resolve(heard));
    socket.on("error", () => resolve(heard));
  });
}
const statusOf = (answer: string): number => Number(answer.slice(9, 12));
const locationOf = (answer: string): string | undefined => /^location: (.*)$/im.exec(answer)?.[1]?.trim();

async function withShop(options: StartOptions = {}) {
  const instance = await startInstance({ services, ...options });
  const { name, api } = newGateway(() => instance, backend);
  await api();
  return { instance, name };
}

describe("a program of somebody else's", () => {
  let instance: Instance;
  let name: string;
  beforeAll(async () => {
    ({ instance, name } = await withShop({ tls: true }));
  }, 120_000);
  afterAll(() => instance.stop());
  const path = () => `/gateway/${name}/orders/7?a=1&b=%20`;

  it.each(["localhost:4020", "LOCALHOST", "127.0.0.1:1", "[::1]:80", "management.localhost:9"])(
    "is opened by browsers under its own host: %s",
    async (host) => {
      const port = /:\d+$/.exec(host)?.[0] ?? "";
      const answer = await ask(instance, path(), host, NAVIGATES);
      expect([statusOf(answer), locationOf(answer)]).toEqual([
        307,
        `http://${name}.api.localhost${port}/orders/7?a=1&b=%20`,
      ]);
      expect(answer).not.toContain('"url"');
    },
  );
  it("is sent what a form sends, and is opened in frames, the same way", async () => {
    const posted = await ask(instance, path(), "localhost", `${NAVIGATES}Content-Length: 0\r\n`, "POST");
    expect(statusOf(posted)).toBe(307);
    const framed = await ask(instance, path(), "localhost", `${NAVIGATES}Sec-Fetch-Dest: iframe\r\n`);
    expect(statusOf(framed)).toBe(307);
    const old = await ask(
      instance,
      path(),
      "localhost",
      "Sec-Fetch-Site: cross-site\r\nAccept: text/html\r\n",
    );
    expect(statusOf(old)).toBe(307);
  });
  it.each([
    ["a program that asks", "localhost", ""],
    ["a program that asks for a page", "localhost", "Accept: text/html\r\n"],
    ["a script of a page", "localhost", "Sec-Fetch-Mode: cors\r\nSec-Fetch-Site: same-origin\r\n"],
    [
      "a script that asks for a page",
      "localhost",
      "Sec-Fetch-Mode: cors\r\nSec-Fetch-Site: none\r\nAccept: text/html\r\n",
    ],
    ["a name that leads elsewhere", "medley.example.org", NAVIGATES],
    ["a name that begins like this machine's", "127.example.org", NAVIGATES],
    ["a network address", "192.0.2.1:4020", NAVIGATES],
    ["a proxy before it", "localhost", `${NAVIGATES}X-Forwarded-For: 192.0.2.1\r\n`],
    ["another proxy before it", "localhost", `${NAVIGATES}Via: 1.1 proxy\r\n`],
  ])("answers by path: %s", async (_what, host, headers) => {
    const answer = await ask(instance, path(), host, headers);
    expect([statusOf(answer), answer.includes('"url":"/v1/7?a=1&b=%20"')]).toEqual([200, true]);
    expect(answer.includes("sandbox allow-scripts")).toBe(headers.includes("text/html"));
  });
  it.each([
    ["a label cannot be so long", "a".repeat(64)],
    ["a label ends in no hyphen", "shop-"],
    ["no label", "a.b"],
    ["no label either", "%61"],
  ])("has a host only where its name can be one: %s", async (_what, target) => {
    expect(statusOf(await ask(instance, `/gateway/${target}/x`, "localhost", NAVIGATES))).toBe(404);
  });
  it("is not reached by a path that leads elsewhere, and no address is made of one", async () => {
    const answer = await ask(instance, `/gateway/${name}/orders/%2e%2e/x`, "localhost", NAVIGATES);
    expect([statusOf(answer), locationOf(answer)]).toEqual([400, undefined]);
  });

  it("sets cookies on its own host alone, where a browser asks", async () => {
    const cookies = async (address: string, host: string, headers: string) =>
      (await ask(instance, address, host, headers)).match(/^set-cookie: .*$/gim) ?? [];
    const script = "Sec-Fetch-Mode: cors\r\nSec-Fetch-Site: same-origin\r\n";
    const image = "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Site: cross-site\r\n";
    for (const headers of [script, image])
      expect(await cookies(`/gateway/${name}/orders/cookies`, "localhost", headers)).toEqual([]);
    expect(await cookies(`/gateway/${name}/orders/cookies`, "localhost", "")).toEqual(["set-cookie: own=1"]);
    for (const headers of ["", script, NAVIGATES])
      expect(await cookies("/orders/cookies", `${name}.api.localhost`, headers)).toEqual([
        "set-cookie: own=1",
      ]);
  });

  const ours = [
    "/console",
    "/_medley/session",
    "/_medley/health",
    "/management/subscriptions",
    "/",
    "/gateway/x/y",
  ];
  it("has its host for itself: nothing of this server answers there, nor on names beside it", async () => {
    for (const address of ours)
      for (const host of [
        `${name}.api.localhost`,
        `${name}.api.localhost.:4020`,
        `a.${name}.api.localhost`,
        "nobody.api.localhost:4020",
      ]) {
        const answer = await ask(instance, address, host, NAVIGATES);
        expect([address, host, answer.slice(answer.indexOf("\r\n\r\n") + 4)]).toEqual([
          address,
          host,
          '{"statusCode":404,"message":"Resource not found"}',
        ]);
      }
    for (const address of ours.slice(0, -1))
      expect([address, statusOf(await ask(instance, address, "api.localhost", NAVIGATES))]).toEqual([
        address,
        404,
      ]);
    expect(await ask(instance, `/gateway/${name}/orders/7`, "api.localhost")).toContain('"url":"/v1/7"');
  });
  it("has a certificate for its host", async () => {
    const { port } = new URL(instance.medley.tlsUrl as string);
    const host = `${name}.api.localhost`;
    const options = { host: "127.0.0.1", port, servername: host, path: "/orders/7", headers: { host } };
    const status = await new Promise((resolve, reject) => {
      request({ ...options, ca: instance.medley.certificateAuthorityPem as string }, (answer) =>
        resolve(answer.resume().statusCode),
      )
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
  });
});

it.each<[string, StartOptions]>([
  ["a public address", { publicUrl: "https://medley.example.org" }],
  ["trusted proxies", { trustedProxies: ["10.0.0.0/8"] }],
])("with %s nobody is sent to names of this machine", async (_what, options) => {
  const { instance, name } = await withShop(options);
  try {
    const answer = await ask(instance, `/gateway/${name}/orders/7`, "localhost", NAVIGATES);
    expect([statusOf(answer), answer.includes("sandbox allow-scripts")]).toEqual([200, true]);
  } finally {
    await instance.stop();
  }
});
