/** Pages of resources against a naive evaluator, whatever the filter and the order; and that they come out of indexes. */
import fc from "fast-check";
import { CompiledQuery, type Kysely, PostgresDialect, SqliteDialect, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase } from "../../../tests/support/medley.ts";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../../kernel/config/index.ts";
import { HandleFactory } from "../../kernel/db/single-connection.ts";
import type { Kernel, KernelTables } from "../../kernel/runtime/index.ts";
import { lowerOf, type ResourceFilter } from "./resource-filter.ts";
import { listResources, placeOf, type ResourceRow, SORTS, type Sort } from "./resource-pages.ts";
import { countByType } from "./resources.ts";

const account = "111111111111";
const COUNT = 1500;
const LIMIT = 40;
const SERVICES = ["some", "other"];
const TYPES = ["Vendor::A::One", "Vendor::A::Two", "Vendor::B::One"];
const REGIONS = ["us-east-1", "global"];

const pick = <T>(list: readonly T[]) => fc.constantFrom(...list);
const generated = fc.record({
  region: pick(REGIONS),
  service: fc.oneof({ weight: 9, arbitrary: pick(SERVICES) }, fc.constant("rare")),
  type: pick(TYPES),
  name: fc.oneof(pick(["Äpfel", "apples", "APPLES"]), fc.constant(`${"long ".repeat(15)}tail`)),
  stage: fc.option(pick(["test", "live", "a=b"]), { nil: undefined }),
  updated_at: fc.integer({ min: 0, max: 20 }),
});
const filters = fc.record(
  {
    service: pick([...SERVICES, "rare", "none"]),
    type: pick(TYPES),
    text: pick(["app", "APPLES", "tail", "/7", "Äpfel", "%", "_", "nowhere", "thing", "/7\nÄ", "LONG tail"]),
    tag: pick(["stage", "stage=test", "stage=a=b", "none", "stage=none"]),
  },
  { requiredKeys: [] },
);
const sorts = fc.record({ by: pick(SORTS), isDown: fc.boolean() });

const rowAt = (index: number): ResourceRow => ({
  account,
  arn: `arn:vendor:a:us-east-1:${account}:${index % 3 === 0 ? "Thing" : "other"}/${index}`,
  region: "us-east-1",
  service: "some",
  type: "Vendor::A::One",
  name: "Some Name",
  native_id: null,
  stack: null,
  tags: "{}",
  details: "{}",
  external: 0,
  created_at: index % 7,
  updated_at: 0,
});

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
/** Says the same as the pages should, in the plainest words. */
function naively(
  rows: readonly ResourceRow[],
  filter: Omit<ResourceFilter, "account">,
  sort: Sort,
): string[] {
  const { service, type, text, tag } = filter;
  const [key = "", ...rest] = tag?.split("=") ?? [];
  const fits = (row: ResourceRow) => {
    const value = JSON.parse(row.tags)[key];
    return (
      (service === undefined || row.service === service) &&
      (type === undefined || row.type === type) &&
      (text === undefined || [row.name, row.arn].some((one) => lowerOf(one).includes(lowerOf(text)))) &&
      (tag === undefined || (value !== undefined && (rest.length === 0 || value === rest.join("="))))
    );
  };
  const order = (a: ResourceRow, b: ResourceRow) => {
    const [[left = ""], [right = ""]] = [placeOf(a, sort), placeOf(b, sort)];
    const first = typeof left === "number" ? left - Number(right) : byBytes(left, String(right));
    return (first || byBytes(a.arn, b.arn)) * (sort.isDown ? -1 : 1);
  };
  return rows
    .filter(fits)
    .sort(order)
    .map(({ arn }) => arn);
}

describe.each(["sqlite", "postgres"] as const)("pages of resources on %s", (kind) => {
  let kernel: Kernel;
  let db: Kysely<KernelTables>;
  const rows: ResourceRow[] = fc
    .sample(generated, { numRuns: COUNT, seed: 5 })
    .map(({ stage, ...rest }, index) => ({
      ...rowAt(index),
      ...rest,
      tags: JSON.stringify(stage === undefined ? {} : { stage }),
    }));

  beforeAll(async () => {
    const databaseUrl = kind === "postgres" ? await createDatabase() : undefined;
    const config = { ...defaultConfig, memory: kind === "sqlite", databaseUrl, logLevel: "error" as const };
    ({ kernel } = await openKernel(config, []));
    db = kernel.database.read;
    const tags = rows.flatMap(({ region, service, type, arn, tags: text }) =>
      Object.entries<string>(JSON.parse(text)).map(([key, value]) => ({
        account,
        region,
        service,
        type,
        arn,
        key,
        value,
      })),
    );
    await kernel.database.transact(async (writing) => {
      for (let start = 0; start < COUNT; start += 500) {
        await writing
          .insertInto("medley_resource")
          .values(rows.slice(start, start + 500))
          .execute();
        await writing
          .insertInto("medley_resource_tag")
          .values(tags.slice(start, start + 500))
          .execute();
      }
      // So that plans are made by what is there.
      if (kind === "postgres")
        for (const statement of ["select gin_clean_pending_list('medley_resource_part')", "analyze"])
          await writing.executeQuery(CompiledQuery.raw(statement));
    });
  });
  afterAll(() => kernel.database.close());

  it("are what a naive evaluator finds, page by page", async () => {
    await fc.assert(
      fc.asyncProperty(filters, sorts, pick([LIMIT, 150, 700]), async (filter, sort, limit) => {
        const seen: string[] = [];
        let last: ResourceRow | undefined;
        do {
          const place = last && placeOf(last, sort);
          const page = await listResources(db, { ...filter, account }, sort, place, limit);
          seen.push(...page.map(({ arn }) => arn));
          last = page.length === limit ? page.at(-1) : undefined;
        } while (last);
        expect(seen).toEqual(naively(rows, filter, sort));
      }),
      { numRuns: 60, seed: 3 },
    );
  });

  /** How the database goes about each query that the work asks. */
  async function plansOf(work: (watched: Kysely<KernelTables>) => Promise<unknown>): Promise<string> {
    const asked: CompiledQuery[] = [];
    const dialect = kind === "sqlite" ? new SqliteDialect({} as never) : new PostgresDialect({} as never);
    const watched = new HandleFactory(dialect).alwaysOn({
      executeQuery<R>(query: CompiledQuery) {
        asked.push(query);
        return db.executeQuery<R>(query as CompiledQuery<R>);
      },
      streamQuery: () => {
        throw new Error("nothing is streamed");
      },
    });
    await work(watched);
    return kernel.database.transact(async (explaining) => {
      // With so few rows, reading all of them would be as good.
      if (kind === "postgres")
        await explaining.executeQuery(CompiledQuery.raw("set local enable_seqscan = off"));
      const plans: string[] = [];
      for (const { sql, parameters } of asked) {
        const explain = kind === "sqlite" ? "explain query plan" : "explain";
        const plan = await explaining.executeQuery(CompiledQuery.raw(`${explain} ${sql}`, [...parameters]));
        plans.push(plan.rows.map((row) => Object.values(row as object).join(" ")).join("\n"));
      }
      return plans.join("\n");
    });
  }
  const list = (filter: Omit<ResourceFilter, "account">, sort: Sort) =>
    plansOf((watched) =>
      listResources(watched, { ...filter, account }, sort, [TYPES[1] as string, "arn:m"], LIMIT),
    );

  it.each([
    [{}, "arn", kind === "sqlite" ? "sqlite_autoindex_medley_resource_1" : "medley_resource_pk"],
    [{}, "name", "medley_resource_kind_name"],
    [{}, "type", "medley_resource_kind"],
    [{ service: "some" }, "arn", "medley_resource_kind"],
    [{ type: "Vendor::A::One" }, "name", "medley_resource_kind_name"],
    [{ tag: "none" }, "name", /medley_resource_tag_(?:key|value|type)/],
    [{ tag: "stage=none" }, "name", /medley_resource_tag_(?:value|type)/],
  ] as const)("with %j by %s come out of %s", async (filter, by, index) => {
    for (const isDown of [false, true]) {
      const plan = await list(filter, { by, isDown });
      expect(plan).toMatch(index);
      expect(plan).not.toMatch(/SCAN medley_resource|Seq Scan/);
    }
  });
  it.each(SORTS)("with a rare text by %s come out of an index of names", async (by) => {
    const plan = await plansOf((watched) =>
      listResources(watched, { account, text: "nowhere" }, { by, isDown: true }, undefined, LIMIT),
    );
    expect(plan).toContain(
      kind === "sqlite" ? "COVERING INDEX medley_resource_kind_name" : "medley_resource_part",
    );
    expect(plan).not.toMatch(/SCAN medley_resource|Seq Scan/);
  });
  it("by change come out of their index", async () => {
    const plan = await plansOf((watched) =>
      listResources(watched, { account }, { by: "updated", isDown: true }, [9, "arn:m"], LIMIT),
    );
    expect(plan).toContain("medley_resource_kind_updated");
    expect(plan).not.toMatch(/SCAN medley_resource|Seq Scan/);
  });
  it("are counted in an index, where that is less than all there is", async () => {
    const plan = await plansOf((watched) => countByType(watched, account));
    if (kind === "sqlite") expect(plan).toMatch(/COVERING INDEX medley_resource_kind\b/);
    expect(plan).not.toMatch(/TEMP B-TREE|Seq Scan/);
  });
});

it("are found by text as well where PostgreSQL's extension for parts of words may not be made", async () => {
  const url = new URL(await createDatabase());
  const role = `role_${url.pathname.slice(1)}`;
  const owner = new pg.Client({ connectionString: url.href });
  await owner.connect();
  await owner.query(`create role ${role} login password 'plain'; grant all on schema public to ${role}`);
  [url.username, url.password] = [role, "plain"];
  const { kernel } = await openKernel({ ...defaultConfig, databaseUrl: url.href, logLevel: "error" }, []);
  const db: Kysely<KernelTables> = kernel.database.read;
  await kernel.database.transact((writing) =>
    writing.insertInto("medley_resource").values(rowAt(0)).execute(),
  );
  const { rows } = await sql`select 1 from pg_indexes where indexname = 'medley_resource_part'`.execute(db);
  const found = await listResources(
    db,
    { account, text: "me na" },
    { by: "arn", isDown: false },
    undefined,
    1,
  );
  expect([rows, found.map(({ name }) => name)]).toEqual([[], ["Some Name"]]);
  await kernel.database.close();
  await owner.query(`drop owned by ${role}; drop role ${role}`);
  await owner.end();
});
