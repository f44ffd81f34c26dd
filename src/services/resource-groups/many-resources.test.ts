/** A group of a hundred thousand members: its last page takes no longer than its first, on both databases. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Instance, startInstance } from "../../../tests/support/medley.ts";
import { expectPagesAlike } from "../../../tests/support/page-times.ts";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../../kernel/config/index.ts";
import type { PageTokens } from "../../kernel/paging/page-tokens.ts";
import type { Kernel } from "../../kernel/runtime/index.ts";
import { createGroup } from "./actions/create-group.ts";
import type { Group } from "./domain/index.ts";
import resourceGroups from "./index.ts";

const account = "111111111111";
const region = "us-east-1";
const COUNT = 100_000;
const type = "Vendor::EC2::Instance";
const arnAt = (index: number) =>
  `arn:vendor:ec2:${region}:${account}:instance/i-${String(index).padStart(8, "0")}`;

/** As the catalogue itself would write them, made by the database. */
async function fill(kernel: Kernel): Promise<void> {
  const padded = sql`substr('00000000', 1, 8 - length(cast(at as text))) || cast(at as text)`;
  const arn = sql`${arnAt(0).slice(0, -8)} || ${padded}`;
  const tags = sql`'{"stage":"production","parity":"' || cast(at % 2 as text) || '"}'`;
  const numbers = sql`with recursive numbers(at) as (
    select 0 union all select at + 1 from numbers where at < ${sql.lit(COUNT - 1)})`;
  await kernel.database.transact(async (db) => {
    await sql`insert into medley_resource
      (account, region, service, type, arn, name, native_id, stack, tags, details, external, created_at, updated_at)
      ${numbers} select ${account}, ${region}, 'outside', ${type}, ${arn}, cast(at as text), null, null, ${tags}, '{}', 1, 0, 0
      from numbers`.execute(db);
    for (const [key, value] of [
      ["stage", sql`'production'`],
      ["parity", sql`cast(at % 2 as text)`],
    ] as const)
      await sql`insert into medley_resource_tag (account, region, service, type, arn, key, value)
        ${numbers} select ${account}, ${region}, 'outside', ${type}, ${arn}, ${key}, ${value} from numbers`.execute(
        db,
      );
  });
}
const groups = {
  "one tag": { TagFilters: [{ Key: "stage", Values: ["production"] }] },
  "one tag, one type": {
    ResourceTypeFilters: [type],
    TagFilters: [{ Key: "stage", Values: ["production"] }],
  },
  "any value of a tag": { TagFilters: [{ Key: "parity" }] },
  "two tags": {
    TagFilters: [
      { Key: "stage", Values: ["production"] },
      { Key: "parity", Values: ["0", "1"] },
    ],
  },
  "no tag": { ResourceTypeFilters: [type] },
};

describe.each(["sqlite", "postgres"] as const)("a hundred thousand members on %s", (kind) => {
  const data = mkdtempSync(join(tmpdir(), "medley-many-"));
  const made = new Map<string, Group>();
  let instance: Instance;
  let tokens: PageTokens;
  beforeAll(async () => {
    const database = kind === "postgres" ? await createDatabase() : undefined;
    const config = { ...defaultConfig, logLevel: "error" as const, dataFolder: data, databaseUrl: database };
    const { kernel } = await openKernel(config, [resourceGroups]);
    await fill(kernel);
    for (const [title, query] of Object.entries(groups))
      await kernel.transactAs("resource-groups", account, async (context) => {
        const name = title.replace(/\W+/g, "-");
        const written = { kind: "TAG_FILTERS_1_0" as const, text: JSON.stringify(query) };
        made.set(title, await createGroup(context, region, { name, query: written }));
      });
    // Sealed as the instance itself seals them, so that a page far behind need not be reached page by page.
    tokens = kernel.pageTokens;
    await kernel.database.close();
    instance = await startInstance({
      services: ["resource-groups"],
      ...(database ? { database } : { data }),
    });
  });
  afterAll(async () => {
    await instance?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  it.each(Object.keys(groups))("by %s", async (title) => {
    const group = made.get(title)!;
    const scope = {
      account,
      region,
      operation: "resource-groups.ListGroupResources",
      filter: { group: group.arn, id: group.uniqueId },
    };
    const tokenOf = (index: number) => tokens.seal(scope, [arnAt(index)], "hex");
    const pageAfter = async (index: number) => {
      const startedMs = performance.now();
      const { status, body } = await instance.signed(
        "resource-groups",
        "POST",
        "/resource-groups/list-group-resources",
        {
          body: { Group: group.name, ...(index >= 0 && { NextToken: tokenOf(index) }) },
        },
      );
      const tookMs = performance.now() - startedMs;
      expect(status).toBe(200);
      expect(body.ResourceIdentifiers).toHaveLength(50);
      expect(body.ResourceIdentifiers[0].ResourceArn).toBe(arnAt(index + 1));
      return { tookMs, more: body.NextToken !== undefined };
    };
    await expectPagesAlike({
      first: () => pageAfter(-1),
      middle: () => pageAfter(COUNT / 2 - 1),
      last: () => pageAfter(COUNT - 51),
    });
  });
});
