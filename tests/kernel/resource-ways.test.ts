/** Resources of all services are tagged and deleted from the console by their own service's operations, and lead to what belongs to them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Instance, startInstance } from "../support/medley.ts";

type Resource = {
  readonly arn: string;
  readonly type: string;
  readonly tags: Record<string, string>;
  readonly can: { readonly tag: boolean; readonly delete: boolean };
  readonly related: readonly {
    readonly title: string;
    readonly links: readonly { readonly arn: string; readonly name: string }[];
    readonly rows?: unknown;
  }[];
};
const SERVICES = [
  "sql-virtual-machines",
  "resource-manager",
  "configuration-stores",
  "scheduler",
  "sql-databases",
  "resource-groups",
  "events",
  "backup",
  "language",
  "contributions",
  "functions",
  "face",
];
/** Nothing more than a catalogue keeps their tags. */
const UNTAGGED_BY_SERVICE = /::(?:Language|Contributions|Face)::/;

let instance: Instance;
const read = async (path: string) => (await instance.bearer("GET", `/_medley/${path}`)).body;
const one = (arn: string): Promise<Resource> => read(`resources/one?arn=${encodeURIComponent(arn)}`);
const change = (method: string, path: string, body: unknown, as: "first" | "second" = "first") =>
  instance.bearer(method, `/_medley/resources/${path}`, { as, body });
const firstOfEachType = async (): Promise<Map<string, Resource>> => {
  const { resources } = await read("resources?limit=1000");
  const found = new Map<string, Resource>();
  for (const resource of resources) if (!found.has(resource.type)) found.set(resource.type, resource);
  return found;
};
const statusesOf = (body: { calls: { status: number }[] }) => body.calls.map(({ status }) => status);
beforeAll(async () => {
  instance = await startInstance({ services: SERVICES });
  await instance.bearer("POST", "/_medley/clock/freeze");
  await instance.bearer("POST", "/_medley/seed", { body: { services: SERVICES } });
  await instance.bearer("POST", "/_medley/clock/advance", { body: { by: "2h" } });
}, 120_000);
afterAll(() => instance?.stop());

it("get the tags they are to have, and lose the others", async () => {
  const types = await firstOfEachType();
  expect(types.size).toBeGreaterThan(18);
  for (const { arn, type, tags } of types.values()) {
    const { can } = await one(arn);
    if (!can.tag) {
      expect((await change("PUT", "tags", { arn, tags })).body.error.code).toBe("NotChangeable");
      continue;
    }
    const given = await change("PUT", "tags", { arn, tags: { ...tags, console: "one" } });
    expect([type, given.status, statusesOf(given.body).filter((status) => status >= 300)]).toEqual([
      type,
      200,
      [],
    ]);
    expect([type, given.body.calls.length > 0]).toEqual([type, !UNTAGGED_BY_SERVICE.test(type)]);
    expect([type, (await one(arn)).tags.console]).toEqual([type, "one"]);
  }
  await instance.bearer("POST", "/_medley/clock/advance", { body: { by: "1h" } });
  for (const { arn, type, tags } of types.values()) {
    if (!(await one(arn)).can.tag) continue;
    await change("PUT", "tags", { arn, tags });
    expect([type, (await one(arn)).tags]).toEqual([type, tags]);
  }
  await instance.bearer("POST", "/_medley/clock/advance", { body: { by: "1h" } });
}, 60_000);

it("keep the tags that nothing but the catalogue holds when they are renamed", async () => {
  const { arn, tags } = (await firstOfEachType()).get("Vendor::Language::Application") as Resource;
  await change("PUT", "tags", { arn, tags: { ...tags, console: "kept" } });
  const path = `/language/luis/authoring/v3.0-preview/apps/${arn.split("/").at(-1)}`;
  const headers = { "content-type": "application/json" };
  const renamed = await instance.bearer("POST", "/_medley/try", {
    body: { method: "PUT", path, headers, body: '{"name":"renamed"}' },
  });
  expect(renamed.body.status).toBe(200);
  expect(await one(arn)).toMatchObject({ name: "renamed", tags: { ...tags, console: "kept" } });
});

it("lead from a group to its members and back, from a vault to its points and back, from a collection to its runs", async () => {
  const { resources }: { resources: Resource[] } = await read("resources?limit=1000");
  const ofType = async (type: string) =>
    Promise.all(resources.filter((resource) => resource.type === type).map(({ arn }) => one(arn)));
  const links = (resource: Resource | undefined, title: string) =>
    resource?.related.find((related) => related.title === title)?.links ?? [];
  const group = (await ofType("Vendor::ResourceGroups::Group")).find(
    (resource) => links(resource, "Members").length > 0,
  );
  const [member] = links(group, "Members");
  expect(links(await one(member?.arn ?? ""), "In the groups")).toContainEqual(
    expect.objectContaining({ arn: group?.arn }),
  );
  const vault = (await ofType("Vendor::Backup::BackupVault")).find(
    (resource) => links(resource, "Recovery points").length > 0,
  );
  const [point] = links(vault, "Recovery points");
  const opened = await one(point?.arn ?? "");
  expect(links(opened, "In the vault")).toEqual([expect.objectContaining({ arn: vault?.arn })]);
  const [source] = links(opened, "Backup of");
  expect(links(await one(source?.arn ?? ""), "Recovery points")).toContainEqual(
    expect.objectContaining({ arn: point?.arn }),
  );
  const [collection] = await ofType("Vendor::Scheduler::JobCollection");
  expect(collection?.related).toContainEqual({
    title: "Runs",
    links: [],
    rows: { service: "scheduler", view: "Latest attempts", text: expect.stringMatching(/\/$/) },
  });
});

it("are deleted by their service, which may refuse, and by nobody else", async () => {
  const types = await firstOfEachType();
  const outcomes = new Map<string, number | undefined>();
  for (const { arn, type } of types.values()) {
    const { can } = await one(arn);
    // Gone together with what it was part of.
    if (!can) continue;
    expect([type, can.delete]).toEqual([type, true]);
    expect((await change("POST", "delete", { arn }, "second")).status).toBe(404);
    const deleted = await change("POST", "delete", { arn });
    expect([type, deleted.status]).toEqual([type, 200]);
    outcomes.set(type, statusesOf(deleted.body)[0]);
  }
  const gone = [...outcomes].filter(([, status]) => (status ?? 500) < 300).map(([type]) => type);
  expect(gone.length).toBeGreaterThan(12);
  expect(
    [...outcomes.values()].every((status) => status !== undefined && status < 500 && status !== 404),
  ).toBe(true);
  expect(outcomes.get("Vendor::Backup::RecoveryPoint")).toBe(200);
  const [arn] = [...types.values()]
    .filter(({ type }) => type === "Vendor::IoTEvents::AlarmModel")
    .map((one_) => one_.arn);
  expect((await change("POST", "delete", { arn })).status).toBe(404);
}, 60_000);
