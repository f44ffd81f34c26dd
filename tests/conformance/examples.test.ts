/** What documentation shows as an example can be sent as it stands. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { beginningOf } from "../../console/pages/try/beginning.ts";
import type { Schema } from "../../console/pages/try/described.ts";
import { loadServices } from "../../src/app/services.ts";
import { openApiOf } from "../../src/kernel/openapi/index.ts";
import type { Service } from "../../src/kernel/operation/index.ts";
import { sendAs } from "../support/credential-schemes.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";
import { fitting } from "./requests.ts";

/** Services whose things are made or replaced as a whole, by PUT. */
const NAMES = [
  "resource-manager",
  "hardware-security-modules",
  "configuration-stores",
  "api-diagnostics",
  "sql-virtual-machines",
  "sql-databases",
  "scheduler",
  "robotics",
];
/** Names a machine that belongs to the group already, which no other example makes. */
const NEEDS_OTHERS = "sql-virtual-machines.listeners.put";
const services = (await loadServices()).filter(({ name }) => NAMES.includes(name));

let instance: Instance | undefined;
beforeAll(async () => {
  instance = await startInstance({ services: [...NAMES, "configuration-data", "events"] });
});
afterAll(() => instance?.stop());

/** Addresses by the ids of operations, with the examples of all parameters that are required. */
function addressesOf(service: Service): ReadonlyMap<string, string> {
  const { paths } = openApiOf([service], "http://127.0.0.1") as { readonly paths: Record<string, any> };
  return new Map(
    Object.entries(paths).flatMap(([path, { put }]): [string, string][] => {
      if (!put) return [];
      const required = put.parameters.filter((one: any) => one.required);
      const exampleOf = ({ example, schema }: any) => encodeURIComponent(example ?? schema.examples[0]);
      const inPath = (name: string) => exampleOf(required.find((one: any) => one.name === name));
      const query = required.filter((one: any) => one.in === "query");
      return [
        [
          put.operationId,
          `${path.replace(/\{(\w+)\}/g, (_whole, name) => inPath(name))}?${query.map((one: any) => `${one.name}=${exampleOf(one)}`).join("&")}`,
        ],
      ];
    }),
  );
}

it.each(services.map((service) => [service.name, service] as const))("%s", async (_name, service) => {
  const addresses = addressesOf(service);
  const refused: unknown[] = [];
  for (const { id, method, body, examples } of service.operations) {
    if (method !== "PUT" || !body || id === NEEDS_OTHERS) continue;
    const example = examples?.body ?? fitting(body);
    const answer = await sendAs(instance!, service, "PUT", addresses.get(id)!, { body: example });
    if (answer.status === 400) refused.push([id, answer.body]);
  }
  expect(refused).toEqual([]);
});

it("events: forms begin with the account's own roles", async () => {
  const { id: account } = accounts.first;
  const { body } = await instance!.send("GET", `/_medley/openapi/events.json?account=${account}`);
  const { paths, components } = body as { paths: Record<string, Record<string, any>>; components: any };
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : components.schemas[schema.$ref.split("/").at(-1)!];
  const [events] = await loadServices(["events"]);
  for (const path of ["/events/inputs", "/events/detector-models", "/events/alarm-models"]) {
    const callable = { path, method: "POST", operation: paths[path]!.post };
    const sent = await sendAs(instance!, events!, "POST", path, {
      body: beginningOf(callable, resolve).body,
    });
    expect([path, sent.status < 300, sent.text]).toEqual([path, true, expect.any(String)]);
  }
});
