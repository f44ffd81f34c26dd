/** What services declare for the console, on a seeded instance: their tables, widgets, links and details fit what is promised. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const WIDGETS: readonly (readonly [service: string, kinds: readonly string[]])[] = [
  ["braille", ["picture"]],
  ["contributions", ["chart"]],
  ["scheduler", ["timeline"]],
  ["backup", ["timeline"]],
];
const DETAILS: readonly (readonly [service: string, view: string, kinds: readonly string[]])[] = [
  ["configuration-stores", "Configuration stores", ["timeline"]],
  ["functions", "Functions", ["code"]],
  ["scheduler", "Jobs", ["code"]],
  ["voice", "Calls", ["timeline"]],
];
const services = [
  "events",
  ...new Set([...WIDGETS, ...DETAILS].map(([service]) => service)),
  "resource-groups",
  "resource-manager",
];

type View = {
  title: string;
  columns: string[];
  rows: unknown[][];
  links?: Record<string, unknown>;
  hasDetail: boolean;
  drawings?: { title: string; svg: string }[];
  widgets?: { kind: string; bytes?: string }[];
};
let instance: Instance;
const ask = (path: string, as: "first" | "second" = "first") =>
  instance.bearer("GET", `/_medley/views/${path}`, { as });
const viewsOf = async (service: string): Promise<View[]> => (await ask(service)).body.views;
const kindsOf = (widgets: { kind: string }[] = []) => widgets.map(({ kind }) => kind);

beforeAll(async () => {
  instance = await startInstance({ services });
  const seeded = await instance.bearer("POST", "/_medley/seed", { body: {} });
  expect(seeded.status, seeded.text).toBe(200);
});
afterAll(() => instance.stop());

it("contributions lie on a map, with borders and a mark for each place", async () => {
  const [drawing] = (await viewsOf("contributions")).flatMap(({ drawings = [] }) => drawings);
  expect(drawing?.svg.match(/<circle/g)?.length).toBe(6);
  expect(drawing?.svg).toMatch(/<title>The ferry is back<\/title>/);
  expect(drawing?.svg).toMatch(/<path class="land" d="M\d+ \d+l/);
  expect(drawing?.svg).toMatch(/<path class="border" d="M\d+ \d+l/);
  // Lyon is in France, and not between the islands that belong to it.
  expect(drawing?.svg).toMatch(/<circle class="place" cx="49\d" cy="10\d"/);
  expect(drawing?.svg.length).toBeLessThan(40_000);
});
it("events draws one diagram for each model, with its states", async () => {
  const drawings = (await viewsOf("events")).flatMap(({ drawings: drawn = [] }) => drawn);
  expect(drawings.length).toBeGreaterThan(0);
  expect(new Set(drawings.map(({ title }) => title)).size).toBe(drawings.length);
  for (const { svg } of drawings) expect(svg).toMatch(/<text/);
});
it.each(WIDGETS)("%s shows widgets beside its tables", async (service, kinds) => {
  const shown = (await viewsOf(service)).flatMap(({ widgets }) => kindsOf(widgets));
  for (const kind of kinds) expect([service, shown]).toEqual([service, expect.arrayContaining([kind])]);
});
it.each(DETAILS)("%s tells more of a row of %s", async (service, title, kinds) => {
  const view = (await viewsOf(service)).find((one) => one.title === title);
  expect(view?.hasDetail).toBe(true);
  const query = (row: string) => new URLSearchParams({ view: title, row });
  const first = view?.rows[0]?.[0];
  if (first !== undefined) {
    const { status, body } = await ask(`${service}/detail?${query(String(first))}`);
    expect([service, status, kindsOf(body.widgets)]).toEqual([
      service,
      200,
      expect.arrayContaining([...kinds]),
    ]);
    const others = `${service}/detail?${query(String(first))}&account=${accounts.second.id}`;
    expect((await ask(others)).status).toBe(404);
  }
  expect((await ask(`${service}/detail?${query("<script>alert(1)</script>")}`)).status).toBe(404);
  expect((await ask(`${service}/detail?${query("x")}`, "second")).status).toBe(403);
});
it("leads from cells to columns and views that there are", async () => {
  let links = 0;
  for (const service of services)
    for (const view of await viewsOf(service)) {
      const titles = (await viewsOf(service)).map(({ title }) => title);
      for (const [column, target] of Object.entries(view.links ?? {})) {
        links += 1;
        expect(view.columns).toContain(column);
        if (typeof target === "object") expect(titles).toContain(Object.values(target as object)[0]);
      }
    }
  expect(links).toBeGreaterThanOrEqual(3);
});
it("knows no details of what has none", async () => {
  expect((await ask("none/detail?view=a&row=b")).body.error.code).toBe("NoSuchService");
  expect((await ask("braille/detail?view=Braille%20tables&row=b")).body.error.code).toBe("NoSuchView");
});
it("tries what needs no further word of each of them, and none refuses the credential that is put on", async () => {
  const { paths } = (await instance.send("GET", "/_medley/openapi.json")).body;
  const plain = Object.keys(paths).filter(
    (path) => paths[path].get && !/[{]|^\/(?:_medley|console)?\/?$|^\/(?:_medley|console)\//.test(path),
  );
  const tried = new Map<string, number>();
  for (const path of plain) {
    const query = path.startsWith("/management") ? "?api-version=2016-03-01" : "";
    const { body } = await instance.bearer("POST", "/_medley/try", {
      body: { method: "GET", path: `${path}${query}` },
    });
    tried.set(path, body.status);
  }
  expect(tried.size).toBeGreaterThan(5);
  expect([...tried].filter(([, status]) => status === 401 || status === 403 || status >= 500)).toEqual([]);
});
it("tags and deletes resources of the resource manager's by its own operations, as the account that asks", async () => {
  const listed = await instance.bearer("GET", "/_medley/resources?limit=1000");
  const all: { arn: string; nativeId?: string; service: string; tags: object }[] = listed.body.resources;
  const store = all.find(({ nativeId }) => nativeId?.includes("/configurationStores/"));
  const change = (method: string, path: string, body: unknown, as: "first" | "second" = "first") =>
    instance.bearer(method, `/_medley/resources/${path}`, { as, body });
  const arn = store?.arn;
  expect(arn).toBeDefined();
  expect((await change("PUT", "tags", { arn, tags: { stage: "<b>" } })).body.calls[0].status).toBeLessThan(
    300,
  );
  const after = await instance.bearer("GET", "/_medley/resources?limit=1000");
  const tagged = after.body.resources.find((one: { arn: string }) => one.arn === arn);
  expect(tagged.tags).toEqual({ stage: "<b>" });
  for (const [method, path, body] of [
    ["PUT", "tags", { arn, tags: {} }],
    ["POST", "delete", { arn }],
  ] as const)
    expect((await change(method, path, body, "second")).body.error.code).toBe("NoSuchResource");
  expect((await change("POST", "delete", { arn })).body.calls[0].status).toBeLessThan(300);
  for (const body of [{}, { arn: "" }, { arn: 5 }, { arn, more: 1 }])
    expect((await change("POST", "delete", body)).status).toBe(400);
});
