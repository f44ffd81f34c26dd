/**
 * `npm run fuzz -- --requests 20000 --seed 1`: so many random requests to every operation, gateways included, on each database.
 * Red where an answer is a failure of ours or does not come. Not part of `npm test`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import { mediaTypesOf, type Operation, type Service } from "../../src/kernel/operation/index.ts";
import { fitting, requiredQuery } from "../conformance/requests.ts";
import { Backend } from "../support/backend.ts";
import { sendAs } from "../support/credential-schemes.ts";
import { newGateway } from "../support/gateway.ts";
import { type DatabaseKind, type Instance, type Sent, startInstance } from "../support/medley.ts";
import { anyText, Dice, disturbed } from "./dice.ts";

const REQUESTS = Number(process.env.MEDLEY_FUZZ_REQUESTS ?? 0);
const SEED = Number(process.env.MEDLEY_FUZZ_SEED ?? 1);
const AT_ONCE = 8;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"];
const TYPES = [
  "application/json",
  "text/plain",
  "application/xml",
  "multipart/form-data",
  "x/y; charset=utf-7",
  "",
];
const HEADERS = [
  "if-match",
  "range",
  "accept",
  "accept-language",
  "if-modified-since",
  "prefer",
  "x-forwarded-for",
];

const isEndless = ({ answers }: Operation): boolean =>
  Object.values(answers).some((schema) => mediaTypesOf(schema)?.includes("text/event-stream"));
const all = (await loadServices()).flatMap((service) =>
  service.operations
    .filter((operation) => !isEndless(operation))
    .map((operation) => ({ service, operation })),
);

const encoded = (value: string): string => encodeURIComponent(value.replace(/[\uD800-\uDFFF]/gu, "")) || "x";

type Asked = { method: string; path: string; body?: string; headers: Record<string, string> };
function askedOf(dice: Dice, service: Service, operation: Operation): Asked {
  const text = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  const place = (name: string) => {
    const schema = operation.params?.properties[name];
    return dice.chance(0.3) || !schema ? anyText(dice) : text(fitting(schema));
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_whole, name) => encoded(place(name)));
  const pairs: [string, string][] = [...new URLSearchParams(requiredQuery(service, operation))];
  for (const [name, schema] of Object.entries(operation.query?.properties ?? {}))
    if (dice.chance(0.3))
      pairs.push([name, dice.chance(0.5) ? anyText(dice) : text(fitting(schema as never))]);
  const query = new URLSearchParams(pairs).toString();
  const method = dice.chance(0.03) ? dice.pick(METHODS) : operation.method;
  const headers: Record<string, string> = {};
  if (dice.chance(0.1))
    headers[dice.pick(HEADERS)] = anyText(dice)
      .replace(/[^\x20-\x7e]/g, "?")
      .trim();
  const mount = service.mount === "/" ? "" : service.mount;
  const asked = { method, path: `${mount}${path}${query && `?${query}`}`, headers };
  if (method === "GET" || method === "HEAD") return asked;
  const type = dice.chance(0.05) ? dice.pick(TYPES) : "application/json";
  if (type !== "") headers["content-type"] = type;
  if (!operation.body) return asked;
  const body = JSON.stringify(disturbed(dice, fitting(operation.body), operation.body)) ?? "";
  return { ...asked, body: dice.chance(0.02) ? body.slice(0, dice.below(body.length + 1)) : body };
}
/** Failures that an operation promises, and the unknown address of a service that answers it with 501, are none of ours. */
function isOurs({ service, operation }: (typeof all)[number], { status }: Sent): boolean {
  const declared = (operation.errors ?? []).map((kind) => kind.status);
  return status >= 500 && ![...declared, service.protocol.errorNames.routeNotFound[1]].includes(status);
}

describe.runIf(REQUESTS > 0).each(["sqlite", "postgres"] as const)(
  "random requests on %s",
  (on: DatabaseKind) => {
    const backend = new Backend();
    let instance: Instance;
    let gateway: string;
    beforeAll(async () => {
      await backend.start();
      instance = await startInstance({ on, recordFolder: undefined });
      const { name, api } = newGateway(() => instance, backend);
      await api({}, "orders");
      gateway = `/gateway/${name}/orders`;
    });
    afterAll(async () => {
      await instance?.stop();
      await backend.stop();
    });

    it("are answered, and by no failure of ours", async () => {
      const dice = new Dice(SEED);
      const failures: string[] = [];
      const statuses = new Map<number, number>();
      const one = async () => {
        const target = dice.pick(all);
        const asked = askedOf(dice, target.service, target.operation);
        const path = dice.chance(0.02) ? `${gateway}/${encoded(anyText(dice))}` : asked.path;
        const as = dice.pick(["first", "first", "first", "second", null] as const);
        const { method, body, headers } = asked;
        const options = { ...(body !== undefined && { body }), headers, as };
        const answer = await sendAs(instance, target.service, method, path, options).catch(
          (error: Error) => ({ status: 599, text: String(error.cause ?? error) }) as Sent,
        );
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (isOurs(target, answer))
          failures.push(
            `${target.operation.id}: ${method} ${path.slice(0, 300)} ${body?.slice(0, 500) ?? ""} -> ${answer.status} ${answer.text.slice(0, 300)}`,
          );
      };
      for (let sent = 0; sent < REQUESTS; sent += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, one));
      const shown = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
      console.log(
        `${on}: ${REQUESTS} requests, seed ${SEED}; ${shown.join(", ")}; failures of ours: ${failures.length}`,
      );
      expect(failures.slice(0, 50)).toEqual([]);
    }, 3_600_000);
  },
);
