/** Limits that take many groups to reach. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../../kernel/config/index.ts";
import type { Context } from "../../kernel/operation/index.ts";
import type { Kernel } from "../../kernel/runtime/index.ts";
import { createGroup } from "./actions/create-group.ts";
import { requireRoomForGroup } from "./actions/room.ts";
import { groupArnOf } from "./domain/index.ts";
import resourceGroups from "./index.ts";
import { applySettings } from "./jobs/index.ts";
import { deleteGroup, getGroup, getSettings, insertGroup, saveSettings } from "./store/index.ts";

const region = "us-east-1";
let kernel: Kernel;
const transact = <T>(work: (context: Context) => Promise<T>) =>
  kernel.transactAs("resource-groups", "111111111111", work);

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
