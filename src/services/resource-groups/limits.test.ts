/** Limits that take many groups to reach. */
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isFirstPart } from "../../../tests/support/test-part.ts";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../../kernel/config/index.ts";
import type { Context } from "../../kernel/operation/index.ts";
import type { Kernel } from "../../kernel/runtime/index.ts";
import { createGroup } from "./actions/create-group.ts";
import { requireRoomForGroup } from "./actions/room.ts";
import { groupArnOf } from "./domain/index.ts";
import resourceGroups from "./index.ts";
import { applySettings, publishMembership } from "./jobs/index.ts";
import { findRelated } from "./resources.ts";
import { deleteGroup, getGroup, getSettings, insertGroup, saveSettings } from "./store/index.ts";

const region = "us-east-1";
let kernel: Kernel;
const transact = <T>(work: (context: Context) => Promise<T>, account = "111111111111") =>
  kernel.transactAs("resource-groups", account, work);

beforeAll(async () => {
  ({ kernel } = await openKernel({ ...defaultConfig, memory: true, logLevel: "error" }, [resourceGroups]));
});
afterAll(() => kernel.database.close());

it("events are refused, with the reason, for more groups than they are made for", async () => {
  const turnOn = async () => {
    await transact(async (context) => {
      await saveSettings(context.db, context.account, {
        region,
        desired: "ACTIVE",
        status: "IN_PROGRESS",
        publishing: false,
      });
      await context.enqueue(applySettings, { region });
    });
    while ((await kernel.jobs.drain(kernel.clock.nowMs(), 100)).length > 0);
    return transact((context) => getSettings(context.db, context.account, region));
  };
  await transact(async (context) => {
    for (let index = 0; index <= 2000; index += 1)
      await createGroup(context, region, { name: `group-${index}` });
  });
  expect(await turnOn()).toEqual({
    region,
    desired: "ACTIVE",
    status: "ERROR",
    publishing: false,
    message: expect.stringContaining("2001"),
  });
  await transact(async (context) =>
    deleteGroup(context.db, context.account, await getGroup(context.db, context.account, region, "group-1")),
  );
  expect(await turnOn()).toEqual({ region, desired: "ACTIVE", status: "ACTIVE", publishing: true });
});
it("an account has so many groups in a region and no more, and room again when some are gone", async () => {
  const other = "eu-west-1";
  const tryToCreate = (name: string) =>
    transact(async (context) => {
      await requireRoomForGroup(context, other, 3);
      await insertGroup(
        context.db,
        context.account,
        {
          region: other,
          name,
          arn: groupArnOf(context.account, other, name),
          uniqueId: name,
        },
        context.clock.nowMs(),
      );
    });
  for (const name of ["a", "b", "c"]) await tryToCreate(name);
  await expect(tryToCreate("d")).rejects.toThrow("3 groups");
  await transact(async (context) =>
    deleteGroup(context.db, context.account, await getGroup(context.db, context.account, other, "b")),
  );
  await tryToCreate("d");
  await expect(tryToCreate("e")).rejects.toThrow("3 groups");
});
it("a count is remembered once its creation is committed, and no longer when state was replaced", async () => {
  const place = "ap-south-1";
  const countFirst = () => transact((context) => requireRoomForGroup(context, place));
  const countAgain = () => transact((context) => requireRoomForGroup(context, place, 0));
  const undone = transact(async (context) => {
    await requireRoomForGroup(context, place);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await expect(countAgain()).rejects.toThrow("0 groups");
  await countFirst();
  await countAgain();
  await kernel.stateReplaced();
  await expect(countAgain()).rejects.toThrow("0 groups");
});
it.skipIf(isFirstPart())("an account has a hundred thousand groups in a region", async () => {
  const many = "sa-east-1";
  await transact(async (context) => {
    await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 99999)
      insert into resource_groups_group (account, region, name, unique_id, event_sequence, created_at, updated_at)
      select ${context.account}, ${many}, 'group-' || n, 'unique-' || n, 0, 0, 0 from numbers`.execute(
      context.db as Kysely<unknown>,
    );
  });
  const create = (name: string) => transact((context) => createGroup(context, many, { name }));
  await create("last");
  await expect(create("beyond")).rejects.toThrow("100000 groups");
});
it("an event tells of a hundred members", async () => {
  const place = "eu-north-1";
  const settings = { region: place, desired: "ACTIVE", status: "ACTIVE", publishing: true } as const;
  const told = (count: number) =>
    transact(async (context) => {
      const group = await createGroup(context, place, { name: `of-${count}` });
      const sent: number[] = [];
      const changes = Array.from({ length: count }, (_one, index) => ({
        change: "add" as const,
        arn: `arn:vendor:s3:::b${index}`,
        type: "Vendor::S3::Bucket",
      }));
      await publishMembership(context, settings, group, changes);
      const rows = await (context.db as Kysely<{ medley_outbox: { body: string } }>)
        .selectFrom("medley_outbox")
        .select("body")
        .execute();
      for (const { body } of rows)
        if (body.includes(`group/of-${count}"`)) sent.push(JSON.parse(body).detail.resources.length);
      return sent;
    });
  expect([await told(100), await told(101)]).toEqual([[100], [100, 1]]);
});
it("200 members of a group are shown, and 200 groups are looked at", async () => {
  const ofAccount = <T>(work: (context: Context) => Promise<T>) => transact(work, "222222222222");
  const written = { kind: "TAG_FILTERS_1_0" as const, text: '{"TagFilters":[{"Key":"team"}]}' };
  const arnAt = (index: number) => `arn:vendor:s3:::b${index}`;
  const put = (index: number) =>
    ofAccount(({ catalog }) =>
      catalog.put({
        arn: arnAt(index),
        type: "Vendor::S3::Bucket",
        name: `b${index}`,
        region,
        nativeId: `b${index}`,
        tags: { team: "shop" },
      }),
    );
  for (let index = 0; index < 200; index += 1) await put(index);
  await ofAccount(async (context) => {
    for (let index = 100; index < 301; index += 1)
      await createGroup(context, region, { name: `g${index}`, ...(index >= 299 && { query: written }) });
  });
  const related = (arn: string) =>
    ofAccount(async (context) => {
      const resource = await context.catalog.find(arn);
      return resource
        ? (await findRelated(context, resource)).flatMap((one) => ("arns" in one ? [one.arns] : []))
        : [];
    });
  const groupAt = (index: number) => groupArnOf("222222222222", region, `g${index}`);
  expect(await related(arnAt(0))).toEqual([[groupAt(299)]]);
  expect((await related(groupAt(300)))[0]).toHaveLength(200);
  await put(200);
  expect((await related(groupAt(300)))[0]).toHaveLength(200);
});
