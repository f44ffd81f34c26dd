/** Queries over the resources of the moment, on both databases. */
import { describe, expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import {
  account,
  Groups,
  ids,
  register,
  stackQuery,
  tagQuery,
  unregister,
} from "../../../tests/support/resource-groups.ts";

onBothDatabases(
  "queries of resource groups",
  (instance) => {
    const groups = new Groups(instance);
    const others = new Groups(instance, "us-east-1", "second");

    describe("queries", () => {
      const thing = (name: string) => `arn:vendor:s3:us-east-1:${account}:${name}`;
      it("are evaluated over the resources of the moment", async () => {
        await groups.create({
          Name: "live",
          Tags: { stage: "live" },
          ResourceQuery: tagQuery({ stage: ["live", "beta"], team: [] }, [
            "Vendor::S3::Bucket",
            "Vendor::EC2::Host",
          ]),
        });
        expect(await groups.members({ Group: "live" })).toEqual([]);
        const put = (name: string, type: string, tags: object, region?: string) =>
          register(instance(), { arn: thing(name), type, tags, ...(region && { region }) });
        await put("a", "Vendor::S3::Bucket", { stage: "live", team: "x" });
        await put("b", "Vendor::EC2::Host", { stage: "beta", team: "" });
        await put("c", "Vendor::RDS::DBInstance", { stage: "live", team: "x" });
        await put("d", "Vendor::S3::Bucket", { stage: "test", team: "x" });
        await put("e", "Vendor::S3::Bucket", { stage: "live" });
        await put("f", "Vendor::S3::Bucket", { stage: "live", team: "x" }, "eu-west-1");
        await put("g", "Vendor::S3::Bucket", { stage: "live", team: "x" }, "global");
        // Where nothing is said of its region, its name tells.
        const elsewhere = `arn:vendor:s3:eu-west-1:${account}:h`;
        const tags = { stage: "live", team: "x" };
        await register(instance(), { arn: elsewhere, type: "Vendor::S3::Bucket", tags, region: undefined });
        expect(await groups.members({ Group: "live" })).toEqual([thing("a"), thing("b"), thing("g")]);
        expect(await groups.members({ Group: "live", MaxResults: 1 })).toEqual([
          thing("a"),
          thing("b"),
          thing("g"),
        ]);
        expect(
          await groups.members({
            Group: "live",
            Filters: [{ Name: "resource-type", Values: ["Vendor::S3::Bucket"] }],
          }),
        ).toEqual([thing("a"), thing("g")]);
        await put("a", "Vendor::S3::Bucket", { stage: "test", team: "x" });
        await unregister(instance(), thing("b"));
        expect(await groups.members({ Group: "live" })).toEqual([thing("g")]);
        const foreign = await groups.post("/list-group-resources", {
          Group: "live",
          Filters: [{ Name: "resource-type", Values: ["Vendor::RDS::DBInstance"] }],
        });
        expect([foreign.status, foreign.body.Message]).toEqual([
          400,
          expect.stringContaining("Vendor::RDS::DBInstance"),
        ]);
        await others.create({ Name: "live", ResourceQuery: tagQuery({ stage: ["live"] }) });
        expect(await others.members({ Group: "live" })).toEqual([]);
      });
      it("find groups too, but never the one that asks", async () => {
        await groups.create({ Name: "outer", Tags: { nest: "1" }, ResourceQuery: tagQuery({ nest: ["1"] }) });
        await groups.create({ Name: "inner", Tags: { nest: "1" } });
        expect(await groups.members({ Group: "outer" })).toEqual([ids("inner")]);
      });
      it("work without a group", async () => {
        const search = (more: object) =>
          groups.post("/resources/search", {
            ResourceQuery: tagQuery({ stage: [] }, ["Vendor::S3::Bucket"]),
            ...more,
          });
        const first = await search({ MaxResults: 2 });
        expect(first.body.ResourceIdentifiers).toEqual([
          { ResourceArn: thing("a"), ResourceType: "Vendor::S3::Bucket" },
          { ResourceArn: thing("d"), ResourceType: "Vendor::S3::Bucket" },
        ]);
        expect(first.body.QueryErrors).toEqual([]);
        expect(first.body.NextToken).toMatch(/^[a-zA-Z0-9+/]*={0,2}$/);
        const second = await search({ MaxResults: 2, NextToken: first.body.NextToken });
        expect(second.body.ResourceIdentifiers.map((one: any) => one.ResourceArn)).toEqual([
          thing("e"),
          thing("g"),
        ]);
        expect(second.body.NextToken).toBeUndefined();
        for (const NextToken of ["abc", "0123456789abcdef", `${first.body.NextToken}00`])
          expect((await search({ NextToken })).status).toBe(400);
        const other = await groups.post("/resources/search", {
          ResourceQuery: tagQuery({ stage: [] }),
          NextToken: first.body.NextToken,
        });
        expect(other.status).toBe(400);
      });
      it("say which types are not supported", async () => {
        const search = async () =>
          (
            await groups.post("/resources/search", {
              ResourceQuery: tagQuery({ odd: [] }, ["Vendor::Odd::Thing", "Vendor::S3::Bucket"]),
            })
          ).body;
        await register(instance(), { arn: thing("odd"), type: "Vendor::S3::Bucket", tags: { odd: "" } });
        expect(await search()).toEqual({
          ResourceIdentifiers: [{ ResourceArn: thing("odd"), ResourceType: "Vendor::S3::Bucket" }],
          QueryErrors: [
            {
              ErrorCode: "RESOURCE_TYPE_NOT_SUPPORTED",
              Message: expect.stringContaining("Vendor::Odd::Thing"),
            },
          ],
        });
        await register(instance(), { arn: thing("odd2"), type: "Vendor::Odd::Thing" });
        expect((await search()).QueryErrors).toEqual([]);
      });
      it("follow a stack through its life", async () => {
        const stack = `arn:vendor:cloudformation:us-east-1:${account}:stack/web/1`;
        const put = (details: object) =>
          register(instance(), { arn: stack, type: "Vendor::CloudFormation::Stack", details });
        const list = async () => {
          const { body } = await groups.post("/list-group-resources", { Group: "stacked" });
          return [
            body.ResourceIdentifiers.map((one: any) => one.ResourceArn),
            body.QueryErrors.map((one: any) => one.ErrorCode),
          ];
        };
        await groups.create({ Name: "stacked", ResourceQuery: stackQuery(stack) });
        await register(instance(), { arn: thing("s1"), type: "Vendor::S3::Bucket", details: { stack } });
        await register(instance(), {
          arn: thing("s2"),
          type: "Vendor::EC2::Host",
          tags: { "aws:cloudformation:stack-id": stack.replace("vendor", "aws") },
        });
        expect(await list()).toEqual([[], ["STACK_NOT_EXISTING"]]);
        await put({ status: "CREATE_COMPLETE" });
        expect(await list()).toEqual([[thing("s1"), thing("s2")], []]);
        expect(
          await groups.members({
            Group: "stacked",
            Filters: [{ Name: "resource-type", Values: ["Vendor::EC2::Host"] }],
          }),
        ).toEqual([thing("s2")]);
        await put({ status: "DELETE_IN_PROGRESS" });
        expect(await list()).toEqual([[], ["STACK_INACTIVE"]]);
        const roleArn = `arn:vendor:iam::${account}:role/reader`;
        await put({ roleArn });
        expect(await list()).toEqual([[], ["STACK_UNASSUMABLE_ROLE"]]);
        await register(instance(), { arn: roleArn, type: "Vendor::IAM::Role", region: "global" });
        expect(await list()).toEqual([[thing("s1"), thing("s2")], []]);
      });
      it("are not what every group is based on", async () => {
        await groups.create({ Name: "only-once" });
        const refused = await groups.post("/get-group-query", { Group: "only-once" });
        expect([refused.status, refused.body.Message]).toEqual([
          400,
          expect.stringContaining("not based on a query"),
        ]);
        expect(await groups.members({ Group: "only-once" })).toEqual([]);
        const given = await groups.post("/update-group-query", {
          Group: "only-once",
          ResourceQuery: tagQuery({ stage: ["test"] }),
        });
        expect(given.status).toBe(200);
        expect(await groups.members({ Group: "only-once" })).toEqual([thing("a"), thing("d")]);
      });
    });
  },
  { services: ["resource-groups"], provisioningSeconds: 30 },
);
