/** Every address of the admin interface, asked by an account that is no admin with another's ids in hand: nothing of the other's comes back. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { accounts, type Instance, startInstance } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const MARK = "marked-as-first";
const ARN = `arn:vendor:s3:::${MARK}`;
/** What everybody may ask, and what asks for words of its own before it looks for anything. */
const OPEN = [
  "medley.health 200",
  "medley.metrics 200",
  "medley.openapi 200",
  "medley.openapi-of-service 200",
  "medley.ready 200",
  "medley.search 200",
  "medley.services 200",
  "medley.session.begin 400",
  "medley.session.end 204",
  "medley.session.show 200",
  "medley.try 400",
];
const BODIES: Readonly<Record<string, object>> = {
  "medley.resources.delete": { arn: ARN },
  "medley.resources.tag": { arn: ARN, tags: {} },
};
type Described = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
};
type Operation = Described & { readonly method: string; readonly path: string };

let instance: Instance;
let operations: readonly Operation[];
/** Ids of the first account's records, by what they are. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  instance = await startInstance({ services: [], extraServices: allSamples });
  const note = (path: string, method: string, body: object) =>
    instance.apiKey("x-vendor-key", method, `/sample-key/notes/${MARK}${path}`, { body });
  await note("", "PUT", { text: MARK });
  await note(":count", "POST", {});
  await instance.bearer("PUT", "/_medley/resources", { body: { arn: ARN, type: "Vendor::S3::Bucket" } });
  await instance.bearer("POST", "/_medley/snapshots", { body: { name: MARK } });
  for (const kind of ["requests", "jobs", "outbox"]) {
    const { body } = await instance.bearer(
      "GET",
      `/_medley/${kind}?account=${accounts.first.id}&service=sample-key`,
    );
    ids[kind] = Object.values<{ id: string }[]>(body)[0]?.[0]?.id ?? "";
  }
  const { paths } = (await instance.send("GET", "/_medley/openapi/medley")).body;
  operations = Object.entries<Record<string, Described>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      path,
      method: method.toUpperCase(),
    })),
  );
});
afterAll(() => instance?.stop());

const ask = ({ operationId, method, path, parameters = [] }: Operation, given: Record<string, string>) => {
  const words = parameters.filter((one) => one.in === "query" && given[one.name] !== undefined);
  const query = new URLSearchParams(Object.fromEntries(words.map(({ name }) => [name, given[name] ?? ""])));
  const named: Record<string, string> = { ...given, id: ids[path.split("/")[2] ?? ""] ?? "none" };
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name) => encodeURIComponent(named[name] ?? "none"));
  return instance.bearer(method, `${filled}?${query}`, {
    as: "second",
    ...(!/^(?:GET|DELETE)$/.test(method) && { body: BODIES[operationId] ?? {} }),
  });
};

it("shows nothing of another account, be it named or not, and changes nothing", async () => {
  expect(Object.values(ids).every((id) => id !== "")).toBe(true);
  const asked = { name: MARK, arn: ARN, q: MARK, text: MARK, service: "sample-key" };
  for (const given of [asked, { ...asked, account: accounts.first.id }]) {
    const open: string[] = [];
    for (const operation of operations) {
      // It never ends; the next test is about it.
      if (operation.operationId === "medley.requests.stream") continue;
      const { status, text } = await ask(operation, given);
      if (status < 400)
        expect([operation.operationId, text]).toEqual([
          operation.operationId,
          expect.not.stringContaining(MARK),
        ]);
      if (status !== 403 && status !== 404) open.push(`${operation.operationId} ${status}`);
    }
    if ("account" in given) expect(open.sort()).toEqual(OPEN);
    else expect(open).toEqual(expect.arrayContaining(OPEN));
  }
  expect((await instance.bearer("GET", `/_medley/resources/one?arn=${encodeURIComponent(ARN)}`)).status).toBe(
    200,
  );
  expect((await instance.bearer("GET", "/_medley/snapshots")).text).toContain(MARK);
});

it("streams to an account what it asked itself, and nobody else's requests", async () => {
  const headers = { authorization: `Bearer ${accounts.second.tokens[0]}` };
  const others = await fetch(`${instance.url}/_medley/requests/stream?account=${accounts.first.id}`, {
    headers,
  });
  expect(others.status).toBe(403);
  const answer = await fetch(`${instance.url}/_medley/requests/stream`, { headers });
  await instance.apiKey("x-vendor-key", "GET", `/sample-key/notes/${MARK}`);
  await instance.apiKey("x-vendor-key", "GET", "/sample-key/notes/own", { as: "second" });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  while (!seen.includes("/sample-key/notes/own")) seen += (await reader?.read())?.value ?? "";
  expect(seen).not.toContain(MARK);
  await reader?.cancel();
});
