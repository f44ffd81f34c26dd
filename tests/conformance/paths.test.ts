/** What a path means is decided once: raw requests to a gateway, a function and every mount, and what was received there. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import { Backend } from "../support/backend.ts";
import { Functions } from "../support/functions.ts";
import { newGateway } from "../support/gateway.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const backend = new Backend();
let instance: Instance;
let gateway: string;
let echo: string;
/** The same by hosts of their own. */
let gatewayHost: string;
let echoHost: string;

beforeAll(async () => {
  await backend.start();
  instance = await startInstance();
  const { name, api, put } = newGateway(() => instance, backend);
  await api({ path: "shop", serviceUrl: `${backend.url}/public/v1` }, "shop");
  const operation = { displayName: "read", method: "GET", urlTemplate: "/items/{id}" };
  await put("apis/shop/operations/read", operation);
  gateway = `/gateway/${name}/shop`;
  gatewayHost = `${name}.api.localhost`;
  const source = "exports.echo = (request, response) => response.json({ url: request.url });";
  echo = new URL(await new Functions(() => instance).running("echo", { source })).pathname;
  echoHost = `${echo.split("/").at(-1)}.functions.localhost`;
});
afterAll(async () => {
  await instance?.stop();
  await backend.stop();
});

/** By each of them some service knows a client of its maker. */
const MAKERS_HEADERS = [
  "Amz-Sdk-Invocation-Id: 1",
  "Ocp-Apim-Subscription-Key: key",
  "X-Bunq-Language: en_US",
  "X-Funtranslations-Api-Secret: secret",
  "X-ListenAPI-Key: key",
  "X-Ms-Client-Request-Id: 1",
  "X-Ms-Date: Thu, 01 Jan 2026 00:00:00 GMT",
];
/** Words that are respelt where they stand in a path. */
const MAKERS_WORDS = ["/Microsoft.Resources", "/bunqme-tab", "/arn%3Aaws%3Ax", "/restful4up"];

type Heard = { readonly status: number; readonly body: string };
const get = (address: string, host = "localhost", headers: readonly string[] = []): Promise<Heard> =>
  new Promise((resolve, reject) => {
    let heard = "";
    const text = `GET ${address} HTTP/1.1\r\n${[`Host: ${host}`, "Connection: close", ...headers].join("\r\n")}\r\n\r\n`;
    const socket = connect(Number(new URL(instance.url).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (part) => {
      heard += part;
    });
    socket.on("error", reject);
    socket.on("close", () =>
      resolve({ status: Number(heard.slice(9, 12)), body: heard.slice(heard.indexOf("\r\n\r\n") + 4) }),
    );
  });

describe("a path that would lead elsewhere for some reader is 400, and nobody receives it:", () => {
  it.each([
    "/items/..\\..\\..\\admin\\delete",
    "/items/7\\8",
    "/items/..",
    "/items/../../admin",
    "/items/./7",
    "/items/%2e%2e/admin",
    "/items/.%2E",
    "/items/..%2f..%2fadmin",
    "/items/..%5c..%5cadmin",
    "/items/x%2f..%2f..%2fadmin",
    "/items/%2e%2e%2fadmin",
    "/items/%252e%252e%252fadmin",
    "/items/..%252fadmin",
    "/items/%25252e%25252e",
    "/items/%2525252525257e",
    "/items/..;/admin",
    "/items/..;v=1",
    "/items/%2e%2e%3bv",
    "/items/..%00",
    "/items/..%3fx",
    "/items/.%09.",
    "/items/..%20",
    "/items/%c0%ae%c0%ae%c0%afadmin",
    "/items/%u002e%u002e",
    "/items/%e0%80%ae%e0%80%ae",
    "/items/%f0%80%80%ae%f0%80%80%ae%f0%80%80%afadmin",
    "/items/..%e0%80%afadmin",
    "/items/..%c1%9cadmin",
    "/items/%ef%bc%8e%ef%bc%8e",
    "/items/%uff0e%uff0e",
    "/items/x%ef%bc%8f..%ef%bc%bcadmin",
    "/items/%e2%80%a5",
    "/items/..%01",
    "/items/..%a0",
    "/items/%c2%a0..",
  ])("%s", async (path) => {
    const before = backend.asked.length;
    const [passed, ...others] = await Promise.all([
      get(gateway + path),
      get(echo + path),
      get(`/shop${path}`, gatewayHost),
      get(path, echoHost),
      ...[gateway, echo].map((base) => get(base + path, "localhost", MAKERS_HEADERS)),
      ...MAKERS_WORDS.map((word) => get(`${gateway}/items${word}${path.slice("/items".length)}`)),
    ]);
    expect(new Set([passed, ...others].map(({ status }) => status))).toEqual(new Set([400]));
    expect(JSON.parse(passed.body)).toMatchObject({ statusCode: 400 });
    expect(backend.asked).toHaveLength(before);
  });
});

describe("whatever else a segment holds is data, handed on as it is:", () => {
  it.each([
    ["/items/a%2Fb"],
    ["/items/a%5Cb"],
    ["/items/a;v=1"],
    ["/items/50%25"],
    ["/items/%zz"],
    ["/items/..."],
    ["/items/.hidden"],
    ["/items/a..b"],
    ["/items/%e3%80%82%e2%80%a6"],
    ["/items/%c3%80%c2%ae"],
    ["/items/%ef%bc%8ehidden"],
    ["/items/%u20ac"],
    ["/items/%20?next=/../..\\x"],
    ["/items/7#x", "/items/7%23x"],
    ["/items//7", "/items//7", "/items/7"],
    ["//items/7", "//items/7", "/items/7"],
  ])("%s", async (path, inFunction = path, atBackend = inFunction) => {
    for (const [passed, called] of [
      await Promise.all([get(gateway + path), get(echo + path)]),
      await Promise.all([get(`/shop${path}`, gatewayHost), get(path, echoHost)]),
    ]) {
      expect([passed.status, called.status]).toEqual([200, 200]);
      expect(backend.last.url).toBe(`/public/v1${atBackend}`);
      expect(called.body).toContain(JSON.stringify({ url: inFunction }));
    }
  });
});

describe("no spelling leads from one mount to another:", async () => {
  const mounts = [...new Set((await loadServices()).map(({ mount }) => mount))];
  it.each(mounts)("%s", async (mount) => {
    const other = "_medley/health";
    const paths = [
      `${mount}\\..\\${other}`,
      `${mount}/..\\${other}`,
      `${mount}/..%2f${other}`,
      `${mount}/..%5c${other}`,
      `${mount}/%2e%2e/${other}`,
      `${mount}/%252e%252e/${other}`,
      `${mount}/..;/${other}`,
      `${mount}%2f..%2f${other}`,
    ];
    const health = (await get(`/${other}`)).body;
    const host = `${mount.split("/")[1]}.localhost`;
    const inHost = paths.map((path) => path.slice(mount.length)).filter((path) => path.startsWith("/"));
    const inWords = MAKERS_WORDS.flatMap((word) =>
      paths.map((path) => `${mount}${word}${path.slice(mount.length).replaceAll("..", "../..")}`),
    );
    const heard = [
      ...[...paths, ...inWords].map((path) => get(path)),
      ...paths.map((path) => get(path, "localhost", MAKERS_HEADERS)),
      ...inHost.map((path) => get(path, host)),
    ];
    for (const { status, body } of await Promise.all(heard)) {
      expect([400, 401, 403, 404, 405, 501]).toContain(status);
      expect(body).not.toContain(health);
    }
  });
});
