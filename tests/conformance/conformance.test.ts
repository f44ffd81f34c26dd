/** What every declared operation owes to its declaration, checked for all of them alike. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import sketchbook from "../../src/examples/sketchbook/index.ts";
import warehousing from "../../src/examples/warehousing/index.ts";
import { CompiledOperation } from "../../src/kernel/http/index.ts";
import { openApiOf } from "../../src/kernel/openapi/index.ts";
import {
  anyone,
  mediaTypesOf,
  type Operation,
  type Service,
  ServiceError,
} from "../../src/kernel/operation/index.ts";
import { findErrorShape } from "../../src/kernel/protocols/protocol.ts";
import { sendAs } from "../support/credential-schemes.ts";
import { type DatabaseKind, type Instance, startInstance } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";
import { isFirstPart } from "../support/test-part.ts";
import { type Made, requestsFor, requiredQuery } from "./requests.ts";

const AT_ONCE = 8;
/** In the first part each operation gets one of five of these requests, and its neighbours get the others. */
const SHARED = /^(?:hostile|wrong) /;
const SHARE = 5;

const allServices = await loadServices();
const unmounted = [...allSamples, sketchbook, warehousing];
const services: readonly Service[] = [...allServices, ...unmounted];
const everyOperation = services.flatMap((service) =>
  service.operations.map((operation) => ({ service, operation })),
);
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
  it("compile, every one of them, and say in words for people what they miss", () => {
    for (const { operation } of everyOperation) {
      const compiled = new CompiledOperation(operation);
      for (const part of ["params", "query", "headers", "body"] as const) {
        // A stream is handed on as it comes.
        if (!operation[part] || (part === "body" && operation.bodyKinds?.includes("stream"))) continue;
        try {
          compiled.read(part, {}, true);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
          expect((error as Error).message).toMatch(/ (?:is missing|(?:is required|must|may|needs) .*)\.$/);
        }
      }
    }
  });
  it("make valid OpenAPI, by an independent validator, whole and one by one", async () => {
    const validator = new Validator();
    const singles = isFirstPart() ? [] : allServices.map((service) => [service]);
    for (const set of [allServices, ...singles]) {
      const document = openApiOf(set, "http://127.0.0.1:4020");
      const { valid, errors } = await validator.validate(structuredClone(document));
      expect([set.map(({ name }) => name).join(), errors, valid]).toEqual([
        expect.anything(),
        undefined,
        true,
      ]);
    }
  });
});

const databases: readonly DatabaseKind[] = isFirstPart() ? ["sqlite"] : ["sqlite", "postgres"];
describe.each(databases)("every operation on %s", (on) => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ on, extraServices: unmounted, recordFolder: undefined });
  });
  afterAll(() => instance.stop());

  const closed = everyOperation.filter(
    ({ operation }) => operation.permission !== anyone && !operation.credentialOptional,
  );
  it("refuses a caller without a credential, in its protocol's way", async () => {
    for (const { service, operation } of closed) {
      const [made] = requestsFor(service, operation, requiredQuery(service, operation));
      const answer = await instance.send(operation.method, made!.path, {});
      const { protocol } = service;
      const [code, status] = service.errorNames?.unauthenticated ?? protocol.errorNames.unauthenticated;
      // A page for people may say something else than what programs are told.
      const shown = findErrorShape(protocol, operation)?.render({ code, status, message: "", extras: {} });
      expect([operation.id, answer.status]).toEqual([operation.id, shown?.status ?? status]);
    }
  });
  it.each(services.map((service) => [service.name, service] as const))(
    "%s refuses what breaks its schemas, and never answers with a failure of ours",
    async (_name, service) => {
      const failures: string[] = [];
      for (const [index, operation] of service.operations.entries())
        failures.push(...(await fuzz(instance, on, service, operation, index)));
      expect(failures).toEqual([]);
    },
    600_000,
  );
});

/** Does what is given break the declaration of that part? */
function breaks(compiled: CompiledOperation, part: "params" | "query" | "body", given: unknown): boolean {
  try {
    // Reading fills in defaults, which must not get into what is sent.
    compiled.read(part, structuredClone(given) ?? {}, part !== "body");
    return false;
  } catch {
    return true;
  }
}
/** Only where JSON is what the operation takes. */
function breaksBody(compiled: CompiledOperation, body: unknown): boolean {
  const { body: shape, bodyKinds = ["json"] } = compiled.operation;
  return shape !== undefined && bodyKinds.includes("json") && breaks(compiled, "body", body);
}
/** Places that a path spells in its own way are compared by nobody but the service. */
function breaksAddress(compiled: CompiledOperation, { places, query }: Made): boolean {
  if (query) return breaks(compiled, "query", query);
  return places !== undefined && !compiled.operation.segments && breaks(compiled, "params", places);
}
/** What a wrong body may be answered with; some services ask first whether the caller may come in at all. */
function refusalsOf({ errorNames, protocol }: Service): Set<number> {
  const names = { ...protocol.errorNames, ...errorNames };
  return new Set([names.invalidInput[1], names.forbidden[1]]);
}

/** Nobody can wait for the end of its answer. */
const isEndless = ({ answers }: Operation): boolean =>
  Object.values(answers).some((schema) => mediaTypesOf(schema)?.includes("text/event-stream"));

/**
 * What the schema refuses never gets to a database, and is refused by the kernel alike for all: of each kind one is
 * asked about, on one of the databases.
 */
async function fuzz(
  instance: Instance,
  on: DatabaseKind,
  service: Service,
  operation: Operation,
  index: number,
): Promise<string[]> {
  if (/crash|slow$/.test(operation.id) || isEndless(operation)) return [];
  const compiled = new CompiledOperation(operation);
  const isSent = ({ kind }: Made, place: number) =>
    !isFirstPart() || !SHARED.test(kind) || (place + index) % SHARE === 0;
  const refusedKinds = new Set<string>();
  const requests = [...requestsFor(service, operation, requiredQuery(service, operation))]
    .filter(isSent)
    .map((made) => ({ ...made, refused: breaksBody(compiled, made.body) }))
    .filter((made) => {
      if (!made.refused && !breaksAddress(compiled, made)) return true;
      const isFirst = !refusedKinds.has(made.kind);
      refusedKinds.add(made.kind);
      return isFirst && on === "sqlite";
    });
  const failures: string[] = [];
  for (let start = 0; start < requests.length; start += AT_ONCE) {
    const group = requests.slice(start, start + AT_ONCE);
    failures.push(
      ...(await Promise.all(group.map((made) => tryOne(instance, service, operation, made)))).flat(),
    );
  }
  return failures;
}
async function tryOne(
  instance: Instance,
  service: Service,
  operation: Operation,
  { kind, path, body, refused }: Made & { refused: boolean },
): Promise<string[]> {
  const reads = operation.method === "GET" || operation.method === "HEAD";
  const sent = operation.body ? { body: JSON.stringify(body) } : {};
  const options = reads ? {} : { ...sent, headers: { "content-type": "application/json" } };
  const answer = await sendAs(instance, service, operation.method, path, options);
  const elsewhere = service.protocol.errorNames.routeNotFound[1];
  const declared = [elsewhere, ...(operation.errors ?? []).map(({ status }) => status)].includes(
    answer.status,
  );
  const ours = answer.status >= 500 && !declared;
  const overlooked = !reads && refused && !refusalsOf(service).has(answer.status);
  if (!ours && !overlooked) return [];
  const words = [operation.id, `(${kind})`, path.slice(0, 200), JSON.stringify(body)?.slice(0, 200)];
  return [`${words.join(" ")} -> ${answer.status} ${answer.text.slice(0, 400)}`];
}
