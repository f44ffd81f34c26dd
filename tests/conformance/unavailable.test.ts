/** Without its database every service says so in its own words: 503, and when to come again. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import type { Operation, Service } from "../../src/kernel/operation/index.ts";
import { findErrorShape } from "../../src/kernel/protocols/protocol.ts";
import { sendAs } from "../support/credential-schemes.ts";
import { createDatabase, type Instance, type Sent, startInstance } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";
import { requestsFor, requiredQuery } from "./requests.ts";

const services: readonly Service[] = [...(await loadServices()), ...allSamples];
const NOBODY_LISTENS_PORT = 1;
let instance: Instance;
let proxy: TcpProxy;

beforeAll(async () => {
  const database = await createDatabase();
  proxy = await TcpProxy.start(Number(new URL(database).port));
  instance = await startInstance({
    extraServices: allSamples,
    database: proxy.through(database),
    recordFolder: undefined,
    logLevel: "silent",
  });
  proxy.pointAt(NOBODY_LISTENS_PORT);
  proxy.cut();
});
afterAll(async () => {
  await instance.stop().catch(() => {});
  await proxy.stop();
});

it("the root of robotics says that something is wrong", async () => {
  const { status, body } = await instance.send("GET", "/robotics/v3.0/", {});
  expect([status, body.status]).toEqual([200, "degraded"]);
});

function ask(service: Service, operation: Operation): Promise<Sent> {
  const [made] = requestsFor(service, operation, requiredQuery(service, operation));
  const body = operation.body ? JSON.stringify(made?.body) : undefined;
  const reads = operation.method === "GET" || operation.method === "HEAD";
  const options = reads ? {} : { body, headers: { "content-type": "application/json" } };
  return sendAs(instance, service, operation.method, made?.path ?? "", options);
}

const gateways = services.flatMap((service) =>
  service.gateway ? [[service.gateway.id, service] as const] : [],
);
it.each(gateways)("%s hands nothing on", async (_id, service) => {
  const answer = await instance.send("POST", `${service.gateway?.path}/somebody/x`, { body: {} });
  const [code, status] = service.errorNames?.unavailable ?? service.protocol.errorNames.unavailable;
  const error = { code, status, message: "The database does not answer; try again.", extras: {} };
  const { body } = service.protocol.renderError(error, { id: "", headers: {} });
  expect([answer.status, answer.headers.get("retry-after"), answer.body]).toEqual([503, "1", body]);
});

/** Where the body of an error names the request. */
const requestIdIn = (text: string): string => /<RequestId>([-0-9a-f]{36})</.exec(text)?.[1] ?? "";

it.each(services.map((service) => [service.name, service] as const))("%s", async (_name, service) => {
  const [code, status] = service.errorNames?.unavailable ?? service.protocol.errorNames.unavailable;
  expect(status).toBe(503);
  let unavailable = 0;
  for (const operation of service.operations) {
    if (/crash$/.test(operation.id)) continue;
    const answer = await ask(service, operation);
    if (answer.status < 500) continue;
    unavailable += 1;
    expect([operation.id, answer.status, answer.headers.get("retry-after")]).toEqual([
      operation.id,
      503,
      "1",
    ]);
    if (operation.method === "HEAD") continue;
    const error = { code, status, message: "The database does not answer; try again.", extras: {} };
    const { body } =
      findErrorShape(service.protocol, operation)?.render(error) ??
      service.protocol.renderError(error, { id: requestIdIn(answer.text), headers: {} });
    expect([operation.id, answer.body]).toEqual([operation.id, body]);
  }
  expect(unavailable).toBeGreaterThan(0);
});
