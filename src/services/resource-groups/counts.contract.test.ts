/** How many members a group may have: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyRow } from "../../../tests/support/copied-rows.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { account, Groups, poolConfiguration, register } from "../../../tests/support/resource-groups.ts";

const MEMBERS_MAX = 10_000;
const TYPE = "Vendor::EC2::CapacityReservation";
const data = mkdtempSync(join(tmpdir(), "medley-members-"));
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["resource-groups"], data });
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

it("a group has ten thousand members", async () => {
  const groups = new Groups(() => instance);
  const arnOf = (name: string) => `arn:vendor:ec2:us-east-1:${account}:capacity-reservation/${name}`;
  const add = async (...names: string[]) => {
    const ResourceArns = names.map(arnOf);
    for (const arn of ResourceArns) await register(instance, { arn, type: TYPE });
    const { body } = await groups.post("/group-resources", { Group: "pool", ResourceArns });
    return [body.Succeeded.length, body.Failed.map((one: { ErrorCode: string }) => one.ErrorCode)];
  };
  await groups.create({ Name: "pool", Configuration: poolConfiguration });
  await instance.clock.advance("30s");
  expect(await add("first")).toEqual([1, []]);
  copyRow(data, {
    table: "resource_groups_member",
    count: MEMBERS_MAX - 2,
    changed: { arn: "copied.arn || n" },
  });
  expect(await add("last", "beyond")).toEqual([1, ["GROUP_FULL"]]);
  expect(await add("last")).toEqual([1, []]);
});
