/** Configurations and the members they allow, on both databases. */
import { describe, expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import {
  account,
  Groups,
  generic,
  hostConfiguration,
  ids,
  poolConfiguration,
  register,
  tagQuery,
  unregister,
} from "../../../tests/support/resource-groups.ts";

onBothDatabases(
  "configured resource groups",
  (instance) => {
    const groups = new Groups(instance);
    const settle = () => instance().clock.advance("30s");

    describe("configurations", () => {
      it.each([
        ["hosts without the rule for members", [hostConfiguration()[0]]],
        ["hosts without protection", [hostConfiguration()[0], generic("Vendor::EC2::Host", false)]],
        [
          "hosts with the rule of pools",
          [hostConfiguration()[0], generic("Vendor::EC2::CapacityReservation", true)],
        ],
        [
          "a pool with parameters",
          [
            { Type: "Vendor::EC2::CapacityReservationPool", Parameters: [{ Name: "x", Values: ["y"] }] },
            poolConfiguration[1],
          ],
        ],
        ["a pool and hosts", [hostConfiguration()[0], poolConfiguration[0]]],
        ["an unknown type", [{ Type: "Vendor::Some::Thing" }]],
        [
          "an unknown parameter",
          [{ Type: "Vendor::ResourceGroups::Generic", Parameters: [{ Name: "odd", Values: ["x"] }] }],
        ],
        [
          "an unknown value",
          [
            {
              Type: "Vendor::ResourceGroups::Generic",
              Parameters: [{ Name: "deletion-protection", Values: ["NEVER"] }],
            },
          ],
        ],
        [
          "a parameter without value",
          [{ Type: "Vendor::ResourceGroups::Generic", Parameters: [{ Name: "deletion-protection" }] }],
        ],
        ["a type twice", [poolConfiguration[1], poolConfiguration[1]]],
        ["a type of the application registry", [{ Type: "Vendor::AppRegistry::Application" }]],
        ["a rule group without a query", [{ Type: "Vendor::NetworkFirewall::RuleGroup" }]],
        ["three items", [...poolConfiguration, { Type: "Vendor::NetworkFirewall::RuleGroup" }]],
        [
          "two rules for licences",
          [
            {
              Type: "Vendor::EC2::HostManagement",
              Parameters: [
                { Name: "any-host-based-license-configuration", Values: ["true"] },
                {
                  Name: "allowed-host-based-license-configurations",
                  Values: [`arn:vendor:license-manager:us-east-1:${account}:license-configuration:lic-1`],
                },
              ],
            },
            hostConfiguration()[1],
          ],
        ],
      ])("are refused: %s", async (_what, Configuration) => {
        const answer = await groups.post("/groups", { Name: "refused", Configuration });
        expect([answer.status, answer.headers.get("x-amzn-errortype")], answer.text).toEqual([
          400,
          "BadRequestException",
        ]);
      });
      it("of rule groups stand beside a tag query", async () => {
        const bucket = `arn:vendor:s3:us-east-1:${account}:a`;
        await register(instance(), { arn: bucket, type: "Vendor::S3::Bucket", tags: { stage: "live" } });
        const made = await groups.create({
          Name: "firewall",
          ResourceQuery: tagQuery({ stage: ["live"] }),
          Configuration: [{ Type: "Vendor::NetworkFirewall::RuleGroup", Parameters: [] }],
        });
        expect(made.GroupConfiguration).toEqual({
          Configuration: [{ Type: "Vendor::NetworkFirewall::RuleGroup", Parameters: [] }],
          Status: "UPDATE_COMPLETE",
        });
        expect(await groups.members({ Group: "firewall" })).toEqual([bucket]);
      });
      it("are applied in the background", async () => {
        await instance().clock.freeze();
        await groups.create({ Name: "applied" });
        const show = async () => (await groups.post("/get-group-configuration", { Group: "applied" })).body;
        expect((await groups.post("/get-group-configuration", { Group: "applied" })).status).toBe(400);
        const put = (Configuration: unknown[]) =>
          groups.post("/put-group-configuration", { Group: "applied", Configuration });
        expect((await put(hostConfiguration())).status).toBe(202);
        expect(await show()).toEqual({
          GroupConfiguration: { ProposedConfiguration: hostConfiguration(), Status: "UPDATING" },
        });
        expect((await put(poolConfiguration)).status).toBe(400);
        await instance().clock.advance("29s");
        expect((await show()).GroupConfiguration.Status).toBe("UPDATING");
        await instance().clock.advance("1s");
        expect(await show()).toEqual({
          GroupConfiguration: { Configuration: hostConfiguration(), Status: "UPDATE_COMPLETE" },
        });
        expect((await put([...hostConfiguration()].reverse())).status).toBe(200);
        const both = await groups.post("/update-group-query", {
          Group: "applied",
          ResourceQuery: tagQuery({}),
        });
        expect(both.status).toBe(400);
      });
      it("fail, with a reason, when members do not fit", async () => {
        const host = (name: string) => `arn:vendor:ec2:us-east-1:${account}:dedicated-host/${name}`;
        const list = async () =>
          (await groups.post("/list-group-resources", { Group: "applied" })).body.Resources;
        for (const [name, instanceFamily] of [
          ["h-1", "c5"],
          ["h-2", "m5"],
          ["h-3", "c5"],
        ] as const)
          await register(instance(), {
            arn: host(name),
            type: "Vendor::EC2::Host",
            details: { instanceFamily },
          });
        const added = await groups.post("/group-resources", {
          Group: "applied",
          ResourceArns: [host("h-1"), host("h-2")],
        });
        expect(added.body).toEqual({ Succeeded: [host("h-1"), host("h-2")], Failed: [], Pending: [] });
        const put = await groups.post("/put-group-configuration", {
          Group: "applied",
          Configuration: hostConfiguration("c5"),
        });
        expect(put.status).toBe(202);
        const waiting = await groups.post("/group-resources", {
          Group: "applied",
          ResourceArns: [host("h-3")],
        });
        expect(waiting.body).toEqual({ Succeeded: [], Failed: [], Pending: [{ ResourceArn: host("h-3") }] });
        const leaving = await groups.post("/ungroup-resources", {
          Group: "applied",
          ResourceArns: [host("h-1")],
        });
        expect(leaving.body.Pending).toEqual([{ ResourceArn: host("h-1") }]);
        expect((await list()).map((one: any) => [one.Identifier.ResourceArn, one.Status?.Name])).toEqual([
          [host("h-1"), "PENDING"],
          [host("h-2"), undefined],
          [host("h-3"), "PENDING"],
        ]);
        await settle();
        const { GroupConfiguration: after } = (
          await groups.post("/get-group-configuration", { Group: "applied" })
        ).body;
        expect(after).toEqual({
          Configuration: hostConfiguration(),
          ProposedConfiguration: hostConfiguration("c5"),
          Status: "UPDATE_FAILED",
          FailureReason: expect.stringContaining(host("h-2")),
        });
        expect((await list()).map((one: any) => one.Identifier.ResourceArn)).toEqual([
          host("h-2"),
          host("h-3"),
        ]);
        await groups.post("/ungroup-resources", { Group: "applied", ResourceArns: [host("h-2")] });
        expect(
          (
            await groups.post("/put-group-configuration", {
              Group: "applied",
              Configuration: hostConfiguration("c5"),
            })
          ).status,
        ).toBe(202);
        await settle();
        const { GroupConfiguration: last } = (
          await groups.post("/get-group-configuration", { Group: "applied" })
        ).body;
        expect(last).toEqual({ Configuration: hostConfiguration("c5"), Status: "UPDATE_COMPLETE" });
        const wrong = await groups.post("/group-resources", {
          Group: "applied",
          ResourceArns: [host("h-2")],
        });
        expect(wrong.body.Failed).toEqual([
          {
            ResourceArn: host("h-2"),
            ErrorCode: "HOST_FAMILY_NOT_ALLOWED",
            ErrorMessage: expect.stringContaining("m5"),
          },
        ]);
      });
      it("protect groups that have members", async () => {
        const refused = await groups.post("/delete-group", { Group: "applied" });
        expect([refused.status, refused.body.Message]).toEqual([400, expect.stringContaining("no members")]);
        await unregister(instance(), `arn:vendor:ec2:us-east-1:${account}:dedicated-host/h-3`);
        expect(await groups.members({ Group: "applied" })).toEqual([]);
        expect((await groups.post("/delete-group", { Group: "applied" })).status).toBe(200);
      });
    });

    describe("members by hand", () => {
      const reservation = (name: string) =>
        `arn:vendor:ec2:us-east-1:${account}:capacity-reservation/${name}`;
      it("come and go, each by itself", async () => {
        await groups.create({ Name: "pool", Configuration: poolConfiguration });
        for (let index = 0; index < 9; index += 1)
          await register(instance(), {
            arn: reservation(`cr-${index}`),
            type: "Vendor::EC2::CapacityReservation",
          });
        await register(instance(), {
          arn: reservation("far"),
          type: "Vendor::EC2::CapacityReservation",
          region: "eu-west-1",
        });
        const all = Array.from({ length: 9 }, (_, index) => reservation(`cr-${index}`));
        const added = await groups.post("/group-resources", {
          Group: ids("pool"),
          ResourceArns: [
            ...all.slice(0, 5),
            reservation("nowhere"),
            reservation("far"),
            `arn:vendor:s3:us-east-1:${account}:a`,
            all[0],
          ],
        });
        expect(added.body.Succeeded).toEqual(all.slice(0, 5));
        expect(added.body.Failed.map((one: any) => [one.ResourceArn, one.ErrorCode])).toEqual([
          [reservation("nowhere"), "RESOURCE_NOT_FOUND"],
          [reservation("far"), "RESOURCE_NOT_FOUND"],
          [`arn:vendor:s3:us-east-1:${account}:a`, "RESOURCE_TYPE_NOT_ALLOWED"],
        ]);
        await groups.post("/group-resources", { Group: "pool", ResourceArns: all });
        expect(await groups.members({ Group: "pool", MaxResults: 2 })).toEqual(all);
        const removed = await groups.post("/ungroup-resources", {
          Group: "pool",
          ResourceArns: [all[0], reservation("far")],
        });
        expect(removed.body.Succeeded).toEqual([all[0]]);
        expect(removed.body.Failed).toEqual([
          {
            ResourceArn: reservation("far"),
            ErrorCode: "RESOURCE_NOT_IN_GROUP",
            ErrorMessage: expect.stringContaining("not a member"),
          },
        ]);
        await unregister(instance(), all[1]!);
        expect(await groups.members({ Group: "pool" })).toEqual(all.slice(2));
      });
      it("are only for groups of hosts and pools", async () => {
        await groups.create({ Name: "queried", ResourceQuery: tagQuery({ stage: ["live"] }) });
        await groups.create({ Name: "plain" });
        for (const path of ["/group-resources", "/ungroup-resources"])
          for (const Group of ["queried", "plain", "firewall"]) {
            const refused = await groups.post(path, { Group, ResourceArns: [reservation("cr-3")] });
            expect([refused.status, refused.body.Message]).toEqual([
              400,
              expect.stringContaining("capacity reservation pool"),
            ]);
          }
        expect(
          (await groups.post("/group-resources", { Group: "nowhere", ResourceArns: [reservation("cr-3")] }))
            .status,
        ).toBe(404);
        for (const ResourceArns of [
          [],
          ["cr-3"],
          Array.from({ length: 11 }, (_, index) => reservation(`cr-${index}`)),
        ])
          expect((await groups.post("/group-resources", { Group: "pool", ResourceArns })).status).toBe(400);
      });
      it("keep a host in one group", async () => {
        const host = `arn:vendor:ec2:us-east-1:${account}:dedicated-host/h-1`;
        await groups.create({ Name: "hosts-a", Configuration: hostConfiguration() });
        await groups.create({ Name: "hosts-b", Configuration: hostConfiguration() });
        await groups.post("/group-resources", { Group: "hosts-a", ResourceArns: [host] });
        const second = await groups.post("/group-resources", { Group: "hosts-b", ResourceArns: [host] });
        expect(second.body.Failed).toEqual([
          {
            ResourceArn: host,
            ErrorCode: "RESOURCE_IN_ANOTHER_GROUP",
            ErrorMessage: expect.stringContaining("hosts-a"),
          },
        ]);
      });
    });
  },
  { services: ["resource-groups"], provisioningSeconds: 30 },
);
