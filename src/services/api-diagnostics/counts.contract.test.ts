/** How many children an instance may have: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { copyRow } from "../../../tests/support/copied-rows.ts";
import { newGateway } from "../../../tests/support/gateway.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const data = mkdtempSync(join(tmpdir(), "medley-children-"));
/** JSON, padded to the length that its address asks for. */
const padded = (length: number, what: object) =>
  `${backend.url}/${length}/padded?${encodeURIComponent(JSON.stringify(what))}`;
const backend: Backend = new Backend({
  "/padded": ({ url = "" }, response) => {
    const [, length, what = ""] = /^\/(\d+)\/padded\?(.*)$/.exec(url) ?? [];
    response.end(decodeURIComponent(what).padEnd(Number(length)));
  },
});
let running: Instance;
beforeAll(async () => {
  await backend.start();
  const services = ["api-diagnostics", "resource-manager"] as const;
  running = await startInstance({ services: [...services], provisioningSeconds: 0, data });
  await running.clock.freeze();
});
afterAll(async () => {
  await running.stop();
  await backend.stop();
  rmSync(data, { recursive: true, force: true });
});
const newShop = () => newGateway(() => running, backend);
const COPIES = {
  key: "copied.key || n",
  id: "copied.id || n",
  name: "copied.name || n",
  name_key: "copied.name_key || n",
};

it.each<[string, number, string, object]>([
  ["APIs", 500, "apis", { path: "other", serviceUrl: "http://127.0.0.1:9" }],
  [
    "loggers",
    100,
    "loggers",
    { loggerType: "applicationInsights", credentials: { instrumentationKey: "k" } },
  ],
  ["named values", 500, "namedValues", { displayName: "other", value: "v" }],
  ["subscriptions", 500, "subscriptions", { displayName: "other", scope: "/apis" }],
  ["products", 100, "products", { displayName: "P" }],
  ["backends", 100, "backends", { url: "http://127.0.0.1:9", protocol: "http" }],
  ["diagnostics", 100, "diagnostics", { loggerId: "/loggers/none" }],
  ["diagnostics", 100, "apis/orders/diagnostics", { loggerId: "/loggers/none" }],
  ["releases", 100, "apis/orders/releases", { apiId: "/apis/orders;rev=1" }],
  ["schemas", 50, "apis/orders/schemas", { contentType: "a/b", document: { components: { schemas: {} } } }],
])("%s: %i at the most", async (things, most, path, properties) => {
  const { api, at, put, name } = newShop();
  if (path.startsWith("apis/")) await api();
  const given = (own: string) =>
    Object.fromEntries(Object.entries(properties).map(([key, is]) => [key, is === "other" ? own : is]));
  await put(`${path}/first`, given("first"));
  const where = `name = 'first' and type like '%/${path.split("/").at(-1)}' and key like '%/${name}/%'`;
  copyRow(data, { table: "medley_managed_resource", count: most - 2, changed: COPIES, where });
  await put(`${path}/last`, given("last"));
  const beyond = await running.bearer("PUT", at(`${path}/beyond`), { body: { properties: given("beyond") } });
  expect([beyond.status, beyond.body.error?.message]).toEqual([
    400,
    expect.stringContaining(`There are ${most} ${things} already`),
  ]);
});

it("10,000 running quotas of an instance; one that ended makes room", async () => {
  const { api, put, call, name } = newShop();
  await api();
  const quota = `<quota-by-key calls="9" renewal-period="3600" counter-key="@(context.Request.Headers.GetValueOrDefault("X-User",""))" />`;
  const value = `<policies><inbound>${quota}</inbound></policies>`;
  await put("apis/orders/policies/policy", { format: "rawxml", value });
  const statusFor = async (user: string) =>
    (await call("GET", "/orders/1", { headers: { "x-user": user } })).status;
  expect(await statusFor("first")).toBe(200);
  const table = "api_diagnostics_quota";
  const where = `instance_key like '%/${name}'`;
  copyRow(data, { table, count: 9998, changed: { counter: "copied.counter || n" }, where });
  expect([await statusFor("last"), await statusFor("beyond"), await statusFor("first")]).toEqual([
    200, 403, 200,
  ]);
  await running.clock.advance("61m");
  expect(await statusFor("beyond")).toBe(200);
});

it("256 KiB of a configuration and of keys that a policy reads", async () => {
  const { api, put, call } = newShop();
  await api();
  const messageFor = async (length: number, keysLength: number) => {
    const url = padded(length, { issuer: "x", jwks_uri: padded(keysLength, { keys: [] }) });
    const rule = `<validate-jwt header-name="X-Token"><openid-config url="${url}" /></validate-jwt>`;
    const value = `<policies><inbound>${rule}</inbound></policies>`;
    await put("apis/orders/policies/policy", { format: "xml", value });
    return (await call("GET", "/orders/1", { headers: { "x-token": "a.b.c" } })).body.message;
  };
  expect(await messageFor(262_144, 262_144)).toContain("Signature validation failed");
  expect(await messageFor(262_145, 262_144)).toContain("could not be read");
  expect(await messageFor(262_144, 262_145)).toContain("could not be read");
});

it("a million letters that the expressions of a call read and write", async () => {
  const { api, put, call } = newShop();
  await api();
  const step = (expression: string) =>
    `<set-variable name="a" value='@(context.Request.Headers.GetValueOrDefault(${expression})' />`;
  const [lower, contains] = [step('"X-A", "").ToLower()'), step('"X-B", "").Contains("b")')];
  const value = `<policies><inbound>${lower.repeat(48)}${contains}<return-response /></inbound></policies>`;
  await put("apis/orders/policies/policy", { format: "rawxml", value });
  const statusFor = async (letters: number) => {
    const headers = { "x-a": "a".repeat(10_000), "x-b": "a".repeat(letters - 48 * 2 * 10_000) };
    return (await call("GET", "/orders/1", { headers })).status;
  };
  expect([await statusFor(1_000_000), await statusFor(1_000_001)]).toEqual([200, 500]);
});

describe("instances of one name", () => {
  const statusOf = async (name: string, group: string) => {
    const path = `/management/subscriptions/gateways/resourceGroups/${group}/providers/Vendor.ApiManagement/service/${name}`;
    const put = (below: string, body: object) =>
      running.bearer("PUT", `${path}${below}?api-version=2019-12-01-preview`, { body });
    const made = await put("", {
      location: "westeurope",
      sku: { name: "Developer", capacity: 1 },
      properties: { publisherEmail: "apis@example.org", publisherName: group },
    });
    const serviceUrl = `${backend.url}/v1`;
    await put("/apis/orders", {
      properties: { path: "orders", displayName: "orders", serviceUrl, subscriptionRequired: false },
    });
    const { pathname } = new URL(made.body.properties.gatewayUrl);
    return (await running.send("GET", `${pathname}/orders/1`)).status;
  };
  const copyInstance = (name: string, count: number, account = "copied.account") => {
    const changed = { account, key: "copied.key || n", id: "copied.id || n" };
    const where = `name = '${name}' and type like '%/service'`;
    copyRow(data, { table: "medley_managed_resource", count, changed, where });
  };
  it("have an address, a hundred of an account", async () => {
    const { name } = newShop();
    expect(await statusOf(name, "first")).toBe(200);
    copyInstance(name, 98);
    await running.clock.advance("1s");
    expect(await statusOf(name, "last")).toBe(200);
    await running.clock.advance("1s");
    expect(await statusOf(name, "beyond")).toBe(404);
  });
  it("have it however many other accounts have", async () => {
    const { name } = newShop();
    expect(await statusOf(name, "first")).toBe(200);
    copyInstance(name, 200, "'999999999999'");
    await running.clock.advance("1s");
    expect(await statusOf(name, "last")).toBe(200);
  });
});
