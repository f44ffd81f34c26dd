/** Every operation of a service that has a maker's spelling is called in both, with one request that fits its declaration. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import type { Dialect } from "../../src/kernel/dialects/index.ts";
import { mediaTypesOf, type Operation, type Service } from "../../src/kernel/operation/index.ts";
import { sendAs } from "../support/credential-schemes.ts";
import { type Instance, type Sent, startInstance } from "../support/medley.ts";
import { type Made, requestsFor, requiredQuery } from "./requests.ts";

const AT_ONCE = 8;
const spoken = (await loadServices()).flatMap((service) =>
  (service.dialects ?? []).map((dialect) => ({ name: `${service.name}, ${dialect.name}`, service, dialect })),
);
/** Nobody can wait for the end of its answer. */
const isEndless = ({ answers }: Operation): boolean =>
  Object.values(answers).some((schema) => mediaTypesOf(schema)?.includes("text/event-stream"));

type Request = { readonly path: string; readonly body: unknown; readonly headers: Record<string, string> };
/** The same request in the maker's words, and with a header that only its clients send. */
function inMakersWords({ path, body }: Made, service: Service, dialect: Dialect): Request {
  const respelt = (value: unknown) => dialect.makersBody("", 0, value);
  const word = (text: string) => String(dialect.makersHeaders({ text }).text);
  const [address = "", query = ""] = path.split("?");
  const asked = respelt(Object.fromEntries(new URLSearchParams(query))) as Record<string, string>;
  const telling = [...(dialect.table?.telltaleHeaders ?? []), ...Object.keys(dialect.table?.headers ?? {})]
    .filter((name) => !/authori[sz]ation|key|authentication|signature|encryption|geolocation/.test(name))
    .slice(0, 1)
    .map((name) => [name, /language|region/.test(name) ? "en_US" : "1"]);
  const isSigned = service.protocol.security?.name === "sigv4";
  return {
    path: `${word(address)}${query === "" ? "" : `?${new URLSearchParams(asked)}`}`,
    body: respelt(body),
    headers: { ...Object.fromEntries(telling), ...(isSigned && { "amz-sdk-request": "attempt=1" }) },
  };
}

describe("every operation is answered in both spellings", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ recordFolder: undefined, bankRateLimit: 0 });
  });
  afterAll(() => instance.stop());

  function ask(service: Service, { method, body: shape }: Operation, { path, body, headers }: Request) {
    const isRead = method === "GET" || method === "HEAD";
    const sent = shape && !isRead ? { body: JSON.stringify(body) } : {};
    const type: Record<string, string> = isRead ? {} : { "content-type": "application/json" };
    return sendAs(instance, service, method, path, { ...sent, headers: { ...type, ...headers } });
  }
  const problemOf = ({ status, text }: Sent, { errors = [] }: Operation): string | undefined => {
    if (text.includes("Nothing answers at")) return "is not found";
    const isDeclared = errors.some((error) => error.status === status);
    return status >= 500 && !isDeclared ? `${status} ${text.slice(0, 300)}` : undefined;
  };

  it.each(spoken.map((one) => [one.name, one] as const))(
    "%s",
    async (_name, { service, dialect }) => {
      const problems: string[] = [];
      const operations = service.operations.filter((operation) => !isEndless(operation));
      const tryOne = async (operation: Operation) => {
        const [made] = requestsFor(service, operation, requiredQuery(service, operation));
        if (!made) return;
        for (const [spelling, request] of [
          ["neutral", { ...made, headers: {} }],
          ["maker's", inMakersWords(made, service, dialect)],
        ] as const) {
          const problem = problemOf(await ask(service, operation, request), operation);
          if (problem !== undefined)
            problems.push(`${operation.id}, ${spelling}: ${request.path} ${problem}`);
        }
      };
      for (let start = 0; start < operations.length; start += AT_ONCE)
        await Promise.all(operations.slice(start, start + AT_ONCE).map(tryOne));
      expect(problems).toEqual([]);
    },
    120_000,
  );
});
