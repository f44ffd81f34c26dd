/** A deleted group leaves nothing behind, and another of its name begins with nothing of it. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import {
  account,
  Groups,
  ids,
  poolConfiguration,
  register,
  tagQuery,
} from "../../../tests/support/resource-groups.ts";

const bucket = `arn:vendor:s3:us-east-1:${account}:left`;
const reservation = `arn:vendor:ec2:us-east-1:${account}:capacity-reservation/left`;

onBothDatabases(
  "deleted resource groups",
  (instance) => {
    const groups = new Groups(instance);
    const settle = () => instance().clock.advance("1m");
    /** Tables of the service with a row that says this. */
    async function tablesSaying(pattern: RegExp): Promise<string[]> {
      const { text } = await instance().bearer("GET", "/_medley/state?service=resource-groups");
      const lines = text.split("\n").filter((line) => pattern.test(line));
      const tables = lines.map((line): string => JSON.parse(line).table ?? "");
      return [...new Set(tables)].filter((table) => table.startsWith("resource_groups_")).sort();
    }

    it("leave no row", async () => {
      await instance().clock.freeze();
      await groups.post("/update-account-settings", { GroupLifecycleEventsDesiredStatus: "ACTIVE" });
      await register(instance(), { arn: bucket, type: "Vendor::S3::Bucket", tags: { stage: "left" } });
      await register(instance(), { arn: reservation, type: "Vendor::EC2::CapacityReservation" });
      await settle();
      await groups.create({
        Name: "queried",
        ResourceQuery: tagQuery({ stage: ["left"] }),
        Tags: { a: "b" },
      });
      await groups.create({ Name: "pool", Configuration: poolConfiguration, Tags: { a: "b" } });
      await groups.post("/group-resources", { Group: "pool", ResourceArns: [reservation] });
      await settle();
      expect(await groups.members({ Group: "pool" })).toEqual([reservation]);
      expect(await tablesSaying(/"(queried|pool)"/)).toEqual([
        "resource_groups_group",
        "resource_groups_group_type",
        "resource_groups_member",
        "resource_groups_told",
      ]);
      for (const Group of ["queried", "pool"])
        expect((await groups.post("/delete-group", { Group })).status).toBe(200);
      await settle();
      expect(await tablesSaying(/"(queried|pool)"/)).toEqual([]);
    });

    it("are other groups when they are made again", async () => {
      await groups.create({ Name: "queried", Configuration: poolConfiguration });
      await settle();
      expect(await groups.members({ Group: "queried" })).toEqual([]);
      const filters = { Filters: [{ Name: "resource-type", Values: ["Vendor::AllSupported"] }] };
      expect((await groups.post("/groups-list", filters)).body.GroupIdentifiers).toEqual([]);
      const tags = await groups.send("GET", `/resources/${encodeURIComponent(ids("queried"))}/tags`);
      expect(tags.body.Tags).toEqual({});
    });
  },
  { services: ["resource-groups"] },
);
