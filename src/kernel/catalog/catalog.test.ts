/** The catalogue: selections over thousands of generated resources against a naive evaluator, and the change feed. */
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase } from "../../../tests/support/medley.ts";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../config/config.ts";
import type { Context } from "../operation/context.ts";
import { type Job, jobsFor } from "../operation/job.ts";
import { defineService } from "../operation/service.ts";
import { bearer } from "../protocols/credentials.ts";
import { plain } from "../protocols/plain.ts";
import type { Kernel } from "../runtime/kernel.ts";
import type { WatchedRegion } from "./changes.ts";
import type { CatalogEntry, Resource } from "./entry.ts";
import type { Selection } from "./selection.ts";

const account = "111111111111";
const regions = ["us-east-1", "eu-west-1", "global"] as const;
const types = ["Vendor::A::One", "Vendor::A::Two", "Vendor::B::One", "Vendor::C::Rare"];
const keys = ["stage", "team", "größe", "rare"];
const values = ["", "a", "b", "ü", "zz"];
const stacks = ["arn:vendor:cloudformation:us-east-1:111111111111:stack/web/1", "arn:vendor:x:::stack/2"];

const pick = <T>(list: readonly T[]) => fc.constantFrom(...list);
const tags = fc.dictionary(pick(keys), pick(values), { noNullPrototype: true });
const generated = fc.record({
  region: pick(regions),
  type: fc.oneof({ weight: 30, arbitrary: pick(types.slice(0, 3)) }, pick(types)),
  tags,
  stack: fc.option(pick(stacks), { freq: 5, nil: undefined }),
  suffix: fc.string({ maxLength: 6 }),
});
const selections = fc.record(
  {
    region: pick(regions),
    types: fc.array(pick(types), { maxLength: 4 }),
    tags: fc.array(
      fc.record({ key: pick(keys), values: fc.array(pick([...values, "nowhere"]), { maxLength: 3 }) }),
      { maxLength: 3 },
    ),
    stack: pick(stacks),
  },
  { requiredKeys: ["region"] },
);

/** Says the same as the catalogue should, in the plainest words. */
function naively(all: readonly Resource[], wanted: Selection): string[] {
  const names: string[] = [];
  for (const one of all) {
    if (one.region !== wanted.region && one.region !== "global") continue;
    if (wanted.types && !wanted.types.some((type) => type === one.type)) continue;
    if (wanted.stack && one.stack !== wanted.stack) continue;
    let fits = true;
    for (const { key, values: any } of wanted.tags ?? []) {
      const value = Object.entries(one.tags).find(([name]) => name === key)?.[1];
      if (value === undefined || (any.length > 0 && !any.some((text) => text === value))) fits = false;
    }
    if (fits) names.push(one.arn);
  }
  return names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

async function everyPage(context: Context, selection: Selection, limit: number): Promise<string[]> {
  const names: string[] = [];
  let after = "";
  for (;;) {
    const page = await context.catalog.pageOf(selection, { after, limit });
    expect(page.resources.length).toBeLessThanOrEqual(limit);
    names.push(...page.resources.map(({ arn }) => arn));
    if (page.next === undefined) return names;
    expect(page.next > after).toBe(true);
    after = page.next;
  }
}

const seen: string[][] = [];
const listening: Job<WatchedRegion> = jobsFor<unknown>()({
  name: "watcher.listen",
  payload: Type.Object({ region: Type.String() }),
  async run({ region }, context) {
    const found = await context.catalog.takeChanges(region, 2);
    const said = (entry: CatalogEntry | undefined) => (entry ? JSON.stringify(entry.tags) : "none");
    if (found.length === 2) await context.enqueue(listening, { region });
    if (found.length > 0)
      seen.push(found.map(({ arn, before, after }) => `${arn} ${said(before)} ${said(after)}`));
  },
});
const watcher = defineService({
  name: "watcher",
  title: "Watcher",
  summary: "Hears of changes.",
  mount: "/watcher",
  protocol: plain({ scheme: bearer, errorBody: (error) => error }),
  operations: [],
  jobs: [listening],
});

describe.each(["sqlite", "postgres"] as const)("the catalogue on %s", (kind) => {
  let kernel: Kernel;
  const resources: Resource[] = [];
  const write = <T>(work: (context: Context) => Promise<T>, service = "some") =>
    kernel.transactAs(service, account, work);
  const read = () => kernel.jobContext("some", account, "test");

  /** As the catalogue itself would write them, many at once. */
  const fill = (
    count: number,
    arnAt: (index: number) => string,
    tagsAt: (index: number) => Record<string, string>,
  ) =>
    kernel.database.transact(async (db) => {
      const shared = { account, region: "us-east-1", service: "some", type: "Vendor::Many::Thing" };
      const rest = {
        name: "",
        native_id: null,
        stack: null,
        details: "{}",
        external: 0,
        created_at: 0,
        updated_at: 0,
      };
      for (let start = 0; start < count; start += 500) {
        const indexes = Array.from({ length: Math.min(500, count - start) }, (_, index) => start + index);
        const resources = indexes.map((index) => ({
          ...shared,
          ...rest,
          arn: arnAt(index),
          tags: JSON.stringify(tagsAt(index)),
        }));
        const rows = indexes.flatMap((index) =>
          Object.entries(tagsAt(index)).map(([key, value]) => ({ ...shared, key, value, arn: arnAt(index) })),
        );
        await db.insertInto("medley_resource").values(resources).execute();
        await db.insertInto("medley_resource_tag").values(rows).execute();
      }
    });

  beforeAll(async () => {
    const databaseUrl = kind === "postgres" ? await createDatabase() : undefined;
    const config = { ...defaultConfig, memory: kind === "sqlite", databaseUrl, logLevel: "error" as const };
    ({ kernel } = await openKernel(config, [watcher]));
    const samples = fc.sample(generated, { numRuns: 2000, seed: 20 });
    for (const [index, { suffix, stack, ...rest }] of samples.entries()) {
      const arn = `arn:vendor:a:${rest.region}:${account}:${suffix.replaceAll("\0", "")}/${index}`;
      resources.push({ arn, name: String(index), ...rest, ...(stack && { stack }) });
    }
    for (let start = 0; start < resources.length; start += 500)
      await write(async ({ catalog }) => {
        for (const resource of resources.slice(start, start + 500)) await catalog.put(resource);
      });
  });
  afterAll(() => kernel.database.close());

  it("selects what a naive evaluator selects", async () => {
    await fc.assert(
      fc.asyncProperty(selections, pick([11, 50, 997]), async (selection, limit) => {
        expect(await everyPage(read(), selection, limit)).toEqual(naively(resources, selection));
      }),
      { numRuns: 80, seed: 7 },
    );
  });
  it("follows every change of type, tags, region and stack", async () => {
    const [first, second] = [resources[0] as Resource, resources[1] as Resource];
    const changed = { ...first, region: "us-east-1", type: "Vendor::C::Rare", tags: { rare: "moved" } };
    await write(async ({ catalog }) => {
      await catalog.put(changed);
      await catalog.remove(second.arn);
    });
    const selection = { region: "us-east-1", tags: [{ key: "rare", values: ["moved"] }] };
    expect(await everyPage(read(), selection, 10)).toEqual([first.arn]);
    expect(await everyPage(read(), { ...selection, types: ["Vendor::A::One"] }, 10)).toEqual([]);
    expect(await everyPage(read(), { ...selection, region: "eu-west-1" }, 10)).toEqual([]);
    expect(await everyPage(read(), { ...selection, except: first.arn }, 10)).toEqual([]);
    expect(await read().catalog.find(second.arn)).toBeUndefined();
    await write(async ({ catalog }) => {
      await catalog.put(first);
      await catalog.put(second);
    });
  });
  it("ends a page early rather than look at everything, and still finds all", async () => {
    const arnAt = (index: number) =>
      `arn:vendor:many:us-east-1:${account}:thing/${String(index).padStart(5, "0")}`;
    // Only the last of six thousand has both; each of the two is common, so that neither leads quickly.
    await fill(6000, arnAt, (index) => ({ left: "x", right: index === 5999 ? "x" : "y" }));
    await fill(
      1200,
      (index) => `arn:vendor:many:us-east-1:${account}:other/${index}`,
      () => ({ right: "x" }),
    );
    const selection = {
      region: "us-east-1",
      tags: [
        { key: "left", values: ["x"] },
        { key: "right", values: ["x"] },
      ],
    };
    const page = await read().catalog.pageOf(selection, { limit: 50 });
    expect(page.resources).toEqual([]);
    expect(page.next).toBeDefined();
    expect(await everyPage(read(), selection, 50)).toEqual([arnAt(5999)]);
  });
  it("keeps names in the neutral spelling and finds them in either", async () => {
    const stack = "arn:aws:cloudformation:us-east-1:111111111111:stack/shop/9";
    await write(({ catalog }) =>
      catalog.put({
        arn: "arn:aws:s3:::photos",
        type: "AWS::S3::Bucket",
        name: "photos",
        region: "global",
        tags: { "aws:cloudformation:stack-id": stack },
      }),
    );
    const { catalog } = read();
    expect(await catalog.find("arn:aws:s3:::photos")).toMatchObject({
      arn: "arn:vendor:s3:::photos",
      type: "Vendor::S3::Bucket",
      stack: stack.replace("aws", "vendor"),
    });
    expect(await catalog.find("arn:vendor:s3:::photos")).toBeDefined();
    expect(await catalog.hasType("eu-west-1", "Vendor::S3::Bucket")).toBe(true);
    expect(await catalog.hasType("eu-west-1", "Vendor::S3::Object")).toBe(false);
  });
  it("refuses names and tags that no index could hold", async () => {
    const huge = {
      arn: `arn:vendor:x:::${"é".repeat(1200)}`,
      type: "Vendor::X::Y",
      name: "x",
      region: "global",
    };
    await expect(write(({ catalog }) => catalog.put({ ...huge, tags: {} }))).rejects.toThrow("2400 bytes");
    const sized = (bytes: number) => {
      const beginning = "arn:vendor:x:::";
      const rest = `${huge.region}${huge.type}`.length + beginning.length;
      return { ...huge, arn: `${beginning}${"y".repeat(bytes - rest - 2)}`, tags: { a: "b" } };
    };
    await expect(write(({ catalog }) => catalog.put(sized(2401)))).rejects.toThrow("2400 bytes");
    await write(({ catalog }) => catalog.put(sized(2400)));
    await write(({ catalog }) => catalog.remove(sized(2400).arn));
    const odd = { arn: "arn:vendor:x:::y", type: "Vendor::X::Y", name: "x", region: "global" };
    await expect(write(({ catalog }) => catalog.put({ ...odd, tags: { a: "\0" } }))).rejects.toThrow(
      "U+0000",
    );
    expect(await read().catalog.find("arn:vendor:\0")).toBeUndefined();
  });
  it("tells watchers of every change in order, and of nothing once they stop", async () => {
    const drain = async () => {
      for (;;) {
        const ran = await kernel.jobs.drain(kernel.clock.nowMs(), 100);
        expect(ran.every(({ outcome }) => outcome === "done")).toBe(true);
        if (ran.length === 0) return;
      }
    };
    const thing = { arn: "arn:vendor:x:us-east-1:1:a", type: "Vendor::X::Y", name: "a", region: "us-east-1" };
    const put = (more: Partial<Resource>) =>
      write(({ catalog }) => catalog.put({ ...thing, tags: {}, ...more }));
    await put({ arn: "arn:vendor:x:us-east-1:1:before" });
    await write(({ catalog }) => catalog.watch("us-east-1", listening), "watcher");
    seen.length = 0;
    await put({ tags: { a: "1" } });
    await put({ tags: { a: "2" } });
    await put({ tags: { a: "2" }, name: "renamed" });
    await put({ arn: "arn:vendor:x:eu-west-1:1:b", region: "eu-west-1" });
    await put({ arn: "arn:vendor:x:::c", region: "global" });
    await write(({ catalog }) => catalog.remove(thing.arn));
    await drain();
    expect(seen.flat()).toEqual([
      `${thing.arn} none {"a":"1"}`,
      `${thing.arn} {"a":"1"} {"a":"2"}`,
      "arn:vendor:x:::c none {}",
      `${thing.arn} {"a":"2"} none`,
    ]);
    await write(({ catalog }) => catalog.unwatch("us-east-1"), "watcher");
    await put({ tags: { a: "3" } });
    await drain();
    expect(seen.flat()).toHaveLength(4);
  });
});
