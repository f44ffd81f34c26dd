/** What the pages of documentation tell of every operation. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { curlOf, requestsCallOf } from "../../src/admin/console/docs-calls.ts";
import { errorsOf } from "../../src/admin/console/docs-errors.ts";
import { groupsOf } from "../../src/admin/console/docs-groups.ts";
import { type Parameter, parameterRows, rowsOf, type Schema } from "../../src/admin/console/docs-members.ts";
import { loadServices } from "../../src/app/services.ts";
import { aroundOf, derivedSentencesOf, openApiOperationOf } from "../../src/kernel/openapi/index.ts";

const services = await loadServices();
const operations = services.flatMap((service) => service.operations.map((one) => [service, one] as const));

type Described = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
};
it("every parameter and every member of a body has a description", () => {
  const lacking: string[] = [];
  let count = 0;
  for (const [service, operation] of operations) {
    const { parameters = [], requestBody } = openApiOperationOf(service, operation) as Described;
    const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => rowsOf(schema));
    const rows = ["path", "query", "header"].flatMap((place) => parameterRows(parameters, place));
    for (const { name, description } of [...rows, ...bodies]) {
      count += 1;
      if (!description) lacking.push(`${operation.id}: ${name}`);
    }
  }
  expect(lacking).toEqual([]);
  expect(count).toBeGreaterThan(4000);
});

it("every operation says what it changes and who may call it, and every error when it happens", () => {
  for (const [service, operation] of operations) {
    expect(derivedSentencesOf(operation).length, operation.id).toBeGreaterThanOrEqual(2);
    for (const { code, when } of errorsOf(service, operation))
      expect(when.length, `${operation.id} ${code}`).toBeGreaterThan(0);
  }
});

it("operations that change something by GET or HEAD are not called read-only", () => {
  const effects = new Map(operations.map(([, one]) => [one.id, derivedSentencesOf(one)[0]]));
  expect(effects.get("unpack.clean")).toBe("Runs in one transaction: all of its changes are made, or none.");
  for (const id of ["identity.authorize", "identity.logout", "security-tokens.call-by-address"])
    expect(effects.get(id), id).toBe("Runs in several short transactions.");
  for (const id of ["voice.ListConfigurationSets", "functions.getIamPolicyV1"])
    expect(effects.get(id), id).toBe("Read-only.");
});

it("every operation has a description of its own, beyond its summary", () => {
  const lacking = operations.filter(([, { description = "" }]) => description === "").map(([, { id }]) => id);
  expect(lacking).toEqual([]);
});

it("operations that a description names exist", () => {
  const ids = new Set(operations.map(([, { id }]) => id));
  const names = services.map(({ name }) => name).join("|");
  const named = new RegExp(`\x60((?:${names})\\.[A-Z]\\w+)\x60`, "g");
  const unknown = operations.flatMap(([, { id, description = "" }]) =>
    [...description.matchAll(named)]
      .filter(([, one = ""]) => !ids.has(one))
      .map(([, one]) => `${id}: ${one}`),
  );
  expect(unknown).toEqual([]);
});

it("operations are grouped by resource, also where all paths begin with the same parts", () => {
  const groups = (name: string) =>
    groupsOf(services.find((one) => one.name === name)?.operations ?? []).map(({ title }) => title);
  expect(groups("voice")).toEqual(["Configuration sets", "Voice", "Topic subscriptions"]);
  expect(groups("events")).toContain("Detector models");
});

it("operations are grouped by what they are about, where their paths tell nothing", () => {
  const groups = (name: string) =>
    groupsOf(services.find((one) => one.name === name)?.operations ?? []).map(
      ({ title, operations: some }) => `${title} ${some.length}`,
    );
  expect(groups("resource-groups")).toEqual([
    "Group 5",
    "Group query 2",
    "Resource 3",
    "Group resource 1",
    "Group configuration 2",
    "Tag 3",
    "Account setting 2",
  ]);
  expect(groups("braille").slice(0, 3)).toEqual(["Translate 6", "Dots 6", "Unicode 6"]);
});

it("examples are sent as the operation takes them, also in Python", () => {
  const calls = (id: string) => {
    const [found] = operations.filter(([, one]) => one.id === id);
    if (!found) throw new Error(`There is no ${id}.`);
    const [service, operation] = found;
    const [curl, python] = [curlOf, requestsCallOf].map((write) => write(service, operation, "http://here"));
    return { curl, python };
  };
  const token = calls("identity.token");
  expect(token.curl).toMatch(
    /^curl -X POST "http:\/\/here\/identity\/token" \\\n {2}--data-urlencode 'grant_type=/,
  );
  expect(token.python).toMatch(/^import requests\n\nanswer = requests.post\(\n {4}"[^"]+",\n {4}data=\{\n/);
  const payment = calls("bank.CreatePayment");
  expect(payment.python).toMatch(/^import os\nimport requests\n/);
  expect(payment.python).toMatch(
    /headers=\{"X-Vendor-Client-Authentication": os.environ\["MEDLEY_API_KEY"\]\},\n {4}json=\{/,
  );
  expect(calls("contributions.media.create").curl).toMatch(/--data-binary @FILE$/);
  const rules = calls("unpack.apply-yara-rules");
  expect(rules.curl).toMatch(/ -F file=@FILE \\\n {2}-F 'rules=\w+=*'$/);
  expect(rules.python).toMatch(/files=\{"file": open\("FILE", "rb"\)\},\n {4}data=\{\n {8}"rules": \[\n/);
  const page = calls("contributions.pages.contribute");
  expect(page.curl).toMatch(/ -F 'headline=[^']+' \\\n.* -F pictures=@FILE$/s);
  expect(`${page.curl} ${page.python}`).not.toMatch(/content-type|json=/i);
  expect(page.python).toContain('files={"pictures": open("FILE", "rb")}');
  // These have boto3, which the page writes from the call in JavaScript.
  expect(calls("backup.CreateBackupVault").python).toBeUndefined();
});

it("a header that an operation needs is declared, and sent in its examples", () => {
  const entityTag = (id: string) => {
    const [service, operation] = operations.find(([, one]) => one.id === id) ?? [];
    if (!service || !operation) throw new Error(`There is no ${id}.`);
    const { parameters } = openApiOperationOf(service, operation) as {
      parameters: readonly { name: string }[];
    };
    const examples = [curlOf, requestsCallOf].map((write) => write(service, operation, "http://here"));
    return [parameters.find(({ name }) => name === "if-match"), ...examples];
  };
  for (const verb of ["patch", "delete"]) {
    const [header, curl, python] = entityTag(`api-diagnostics.diagnostics.${verb}`);
    expect(header).toMatchObject({ in: "header", required: true, example: "*" });
    expect([curl, python]).toEqual([
      expect.stringContaining("-H 'if-match: *'"),
      expect.stringContaining('"if-match": "*"'),
    ]);
  }
  const [header, curl] = entityTag("api-diagnostics.diagnostics.put");
  expect(header).toMatchObject({ required: false });
  expect(curl).not.toContain("if-match");
});

it("operations lead to what comes before and after them, and never to themselves", () => {
  const [backup] = services.filter(({ name }) => name === "backup");
  const start = backup!.operations.find(({ id }) => id === "backup.DescribeBackupVault")!;
  const { before, after } = aroundOf(backup!, start);
  expect(before.map(({ id }) => id)).toContain("backup.CreateBackupVault");
  expect(after.map(({ id }) => id)).toContain("backup.DeleteBackupVault");
  for (const [service, operation] of operations) {
    const around = aroundOf(service, operation);
    expect([...around.before, ...around.after]).not.toContain(operation);
  }
});

it("answers that are shown were given by operations that exist, with a status that they declare", () => {
  const shown = readdirSync("console/answers").flatMap((file) => {
    const read = JSON.parse(readFileSync(`console/answers/${file}`, "utf8")) as Record<
      string,
      { status: number }
    >;
    return Object.entries(read);
  });
  const byId = new Map(operations.map(([, operation]) => [operation.id, operation]));
  const wrong = shown.filter(([id, { status }]) => !(status in (byId.get(id)?.answers ?? {})));
  expect(wrong).toEqual([]);
  expect(shown.length / operations.length).toBeGreaterThan(0.5);
});

type AnswerSchema = {
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  readonly required?: readonly string[];
  readonly items?: AnswerSchema;
};
const LEFT_OUT = /^… \d+ more$/;
/** Members that the declaration demands and the answer lacks. */
function lackingIn(schema: AnswerSchema | undefined, value: unknown, at = ""): string[] {
  if (!schema || value === null || typeof value !== "object") return [];
  if (Array.isArray(value))
    return value
      .filter((one) => typeof one !== "string" || !LEFT_OUT.test(one))
      .flatMap((one, index) => lackingIn(schema.items, one, `${at}[${index}]`));
  const { properties, required = [] } = schema;
  if (!properties) return [];
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${at}.${name}`),
    ...Object.entries(value).flatMap(([name, member]) =>
      lackingIn(properties[name], member, `${at}.${name}`),
    ),
  ];
}
type Shown = { readonly status: number; readonly type?: string; readonly answer?: string };
type Answered = {
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: AnswerSchema }>> }>
  >;
};
/** Undefined: it is no JSON, or was cut. */
function jsonIn({ type = "", answer = "" }: Shown): unknown {
  if (!type.includes("json")) return undefined;
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}
const shownOf = ({ name }: { readonly name: string }): Readonly<Record<string, Shown>> =>
  JSON.parse(readFileSync(`console/answers/${name}.json`, "utf8"));
it("every operation shows a recorded answer; else run tools/doc-answers.mjs", () => {
  const missing = services.flatMap((service) => {
    const shown = shownOf(service);
    return service.operations.filter(({ id }) => shown[id] === undefined).map(({ id }) => id);
  });
  expect(missing).toEqual([]);
});
it("answers that are shown have every member that is declared now; else run tools/doc-answers.mjs", () => {
  const outdated: string[] = [];
  let count = 0;
  for (const service of services) {
    const shown = shownOf(service);
    for (const operation of service.operations) {
      const one = shown[operation.id];
      const value = one && jsonIn(one);
      if (one === undefined || value === undefined) continue;
      const { responses = {} } = openApiOperationOf(service, operation) as Answered;
      const [content] = Object.values(responses[one.status]?.content ?? {});
      outdated.push(...lackingIn(content?.schema, value).map((name) => `${operation.id}: ${name}`));
      count += 1;
    }
  }
  expect(outdated).toEqual([]);
  expect(count).toBeGreaterThan(600);
});
