/** A resource group with very much in it: deleted in the background, in steps, each resource by its own rules. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openKernel } from "../../src/app/app.ts";
import { defaultConfig } from "../../src/kernel/config/index.ts";
import { makeResource } from "../../src/kernel/resource-provider/index.ts";
import type { Kernel } from "../../src/kernel/runtime/index.ts";
import { databases } from "../../src/services/sql-databases/operations/databases.ts";
import { servers } from "../../src/services/sql-databases/operations/servers.ts";
import { eventually, progressing } from "../support/eventually.ts";
import { accounts, createDatabase, type Instance, startInstance } from "../support/medley.ts";

const services = ["sql-databases", "resource-groups", "resource-manager"];
const account = accounts.first.id;
const SERVERS = 2_400;
const DATABASES = 600;
const MADE_AT_ONCE = 200;
/** In one go there would be a single one. */
const STEPS_MIN = 5;
const STEPS_MAX = 1_000_000;
const members = ["server-0", "server-1000", "server-2399"];
const group = "/subscriptions/many/resourcegroups/crowded";
const at = (path: string, version = "2019-10-01") => `/management${path}?api-version=${version}`;

async function fill(kernel: Kernel): Promise<void> {
  const place = (...names: string[]) => ({ subscriptionId: "many", resourceGroup: "crowded", names });
  const inSteps = async (
    count: number,
    one: (context: Parameters<typeof makeResource>[0], index: number) => unknown,
  ) => {
    for (let start = 0; start < count; start += MADE_AT_ONCE)
      await kernel.transactAs("resource-manager", account, async (context) => {
        for (let index = start; index < Math.min(count, start + MADE_AT_ONCE); index += 1)
          await one(context, index);
      });
  };
  await inSteps(SERVERS, (context, index) =>
    makeResource(context, servers, place(`server-${index}`), {
      location: "westus",
      tags: { watched: String(members.includes(`server-${index}`)) },
    }),
  );
  await inSteps(DATABASES, (context, index) =>
    makeResource(context, databases, place("server-1000", `database-${index}`), { location: "westus" }),
  );
}

describe.each(["sqlite", "postgres"] as const)("a crowded resource group on %s", (kind) => {
  const data = mkdtempSync(join(tmpdir(), "medley-crowded-"));
  let instance: Instance;
  const get = (path: string) => instance.bearer("GET", path);
  /** Transactions in which some of it was deleted. */
  const steps = async () => {
    const { text } = await get("/_medley/metrics");
    const done = /^medley_jobs_total\{job="resource-manager.delete-group".*"done".*\} (\d+)$/m.exec(text);
    return Number(done?.[1] ?? 0);
  };
  const watch = async () => {
    const post = (path: string, body: unknown) =>
      instance.signed("resource-groups", "POST", `/resource-groups${path}`, { body });
    const Query = JSON.stringify({
      ResourceTypeFilters: ["AWS::AllSupported"],
      TagFilters: [{ Key: "watched", Values: ["true"] }],
    });
    const made = await post("/groups", {
      Name: "watched",
      ResourceQuery: { Type: "TAG_FILTERS_1_0", Query },
    });
    expect(made.status, made.text).toBe(200);
    const on = await post("/update-account-settings", { GroupLifecycleEventsDesiredStatus: "ACTIVE" });
    expect(on.status, on.text).toBe(200);
    await eventually(
      async () =>
        (await post("/get-account-settings", {})).body.AccountSettings.GroupLifecycleEventsStatus ===
        "ACTIVE",
    );
  };
  /** Servers that are said to have left the group. */
  const departed = async () => {
    const { body } = await get("/_medley/outbox?service=resource-groups&limit=1000");
    const resources = body.messages.flatMap((message: any) => message.body.detail.resources ?? []);
    return resources
      .filter((one: any) => one["membership-change"] === "remove")
      .map((one: any) => one.arn.split("/").at(-1))
      .sort();
  };
  beforeAll(async () => {
    const database = kind === "postgres" ? await createDatabase() : undefined;
    const config = {
      ...defaultConfig,
      services,
      logLevel: "error" as const,
      dataFolder: data,
      databaseUrl: database,
    };
    const { kernel } = await openKernel(config);
    await fill(kernel);
    await kernel.database.close();
    instance = await startInstance({ services, ...(database ? { database } : { data }) });
    await watch();
  });
  afterAll(async () => {
    await instance?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  it("goes with everything in it while others are served", async () => {
    const leaving = await instance.bearer("DELETE", at(group));
    expect(leaving.status).toBe(202);
    const result = leaving.headers.get("location") as string;
    expect((await get(at(group))).body.properties.provisioningState).toBe("Deleting");
    await progressing(async () => {
      if ((await get(result)).status === 200) return 0;
      return STEPS_MAX - (await steps());
    }, "the deletion");
    expect(await steps()).toBeGreaterThanOrEqual(STEPS_MIN);
    expect((await get(at(group))).status).toBe(404);
    expect(
      (await get(at(`${group}/providers/Vendor.Sql/servers/server-7`, "2017-10-01-preview"))).status,
    ).toBe(404);
    expect(
      (await get("/_medley/resources")).body.resources.filter(({ arn }: { arn: string }) =>
        arn.includes("crowded"),
      ),
    ).toEqual([]);
  });

  it("lets each resource go by its own rules: with the server go the databases that could be restored on it", async () => {
    const path = `${group}/providers/Vendor.Sql/servers/server-1000/restorableDroppedDatabases`;
    expect((await get(at(path, "2017-10-01-preview"))).status).toBe(404);
  });

  it("tells those who watch the catalogue", async () => {
    await eventually(async () => (await departed()).length === members.length);
    expect(await departed()).toEqual([...members].sort());
  });
});
