/** What every declared operation owes to its declaration, checked for all of them alike. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allServices } from "../../src/app/services.ts";
import { CompiledOperation } from "../../src/kernel/http/index.ts";
import { openApiOf } from "../../src/kernel/openapi/index.ts";
import { anyone, type Operation, type Service } from "../../src/kernel/operation/index.ts";
import { type Instance, type Sent, startInstance } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";
import { requestsFor } from "./requests.ts";

const services: readonly Service[] = [...allServices, ...allSamples];
const everyOperation = services.flatMap((service) =>
  service.operations.map((operation) => ({ service, operation })),
);
const requiredQuery = (service: Service, operation: Operation): string =>
  service.protocol.name === "arm"
    ? `api-version=${operation.query?.properties["api-version"]?.examples?.[0] ?? "2019-11-01-preview"}`
    : "";

/** With the first account's credential, by the service's own scheme. */
function send(
  instance: Instance,
  service: Service,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> },
): Promise<Sent> {
  const scheme = service.protocol.security;
  if (scheme?.name === "sigv4") {
    const signingName = /signed for ([\w-]+)/.exec(String(scheme.scheme.description))?.[1] ?? service.name;
    return instance.signed(signingName, method, path, options);
  }
  if (scheme?.name === "apiKey") return instance.apiKey(String(scheme.scheme.name), method, path, options);
  if (scheme?.name === "basic") {
    const authorization = `Basic ${Buffer.from("first:first-password").toString("base64")}`;
    return instance.send(method, path, { ...options, headers: { authorization, ...options.headers } });
  }
  return instance.bearer(method, path, options);
}

describe("declarations", () => {
  it("have ids of their own, led by the service's name", () => {
    const ids = everyOperation.map(({ operation }) => operation.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { service, operation } of everyOperation)
      expect(operation.id.startsWith(`${service.name}.`)).toBe(true);
  });
  it("name their tables with the service's prefix, each with an account", () => {
    for (const service of services)
      for (const table of service.tables ?? []) expect(table).toMatch(/^[a-z_]+$/);
  });
  it("compile, every one of them", () => {
    for (const { operation } of everyOperation) {
      const compiled = new CompiledOperation(operation);
      for (const part of ["params", "query", "headers", "body"] as const) {
        if (!operation[part]) continue;
        try {
          compiled.read(part, {}, true);
        } catch (error) {
          expect((error as Error).message).toContain("not valid");
        }
      }
    }
  });
  it("make valid OpenAPI, by an independent validator, whole and one by one", async () => {
    for (const set of [allServices, ...allServices.map((service) => [service])]) {
      const document = openApiOf(set, "http://127.0.0.1:4020");
      const { valid, errors } = await new Validator().validate(structuredClone(document));
      expect([set.map(({ name }) => name).join(), errors, valid]).toEqual([
        expect.anything(),
        undefined,
        true,
      ]);
    }
  });
});

describe.each(["sqlite", "postgres"] as const)("every operation on %s", (on) => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ on, extraServices: allSamples, recordFolder: undefined });
  });
  afterAll(() => instance.stop());

  const closed = everyOperation.filter(({ operation }) => operation.permission !== anyone);
  it("refuses a caller without a credential, in its protocol's way", async () => {
    for (const { service, operation } of closed) {
      const [made] = requestsFor(service, operation, requiredQuery(service, operation));
      const answer = await instance.send(operation.method, made!.path, {});
      const [, status] = service.errorNames?.unauthenticated ?? service.protocol.errorNames.unauthenticated;
      expect([operation.id, answer.status]).toEqual([operation.id, status]);
    }
  });
  it.each(services.map((service) => [service.name, service] as const))(
    "%s answers anything that its own schemas can make, and never with a failure of ours",
    async (_name, service) => {
      const failures: string[] = [];
      for (const operation of service.operations)
        failures.push(...(await fuzz(instance, service, operation)));
      expect(failures).toEqual([]);
    },
    600_000,
  );
});

async function fuzz(instance: Instance, service: Service, operation: Operation): Promise<string[]> {
  const failures: string[] = [];
  const declared = new Set((operation.errors ?? []).map(({ status }) => status));
  if (/crash|slow$/.test(operation.id)) return failures;
  for (const { kind, path, body } of requestsFor(service, operation, requiredQuery(service, operation))) {
    const reads = operation.method === "GET" || operation.method === "HEAD";
    const answer = await send(
      instance,
      service,
      operation.method,
      path,
      reads
        ? {}
        : {
            body: operation.body ? JSON.stringify(body) : undefined,
            headers: { "content-type": "application/json" },
          },
    );
    if (answer.status >= 500 && !declared.has(answer.status))
      failures.push(
        `${operation.id} (${kind}) ${path.slice(0, 200)} ${JSON.stringify(body)?.slice(0, 200)} -> ${answer.status} ${answer.text.slice(0, 400)}`,
      );
  }
  return failures;
}
