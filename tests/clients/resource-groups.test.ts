/** A day with resource groups, told by the maker's own client, unmodified: every operation is reached through it. */
import {
  BadRequestException,
  CreateGroupCommand,
  DeleteGroupCommand,
  ForbiddenException,
  GetAccountSettingsCommand,
  GetGroupCommand,
  GetGroupConfigurationCommand,
  GetGroupQueryCommand,
  GetTagsCommand,
  GroupResourcesCommand,
  ListGroupResourcesCommand,
  ListGroupsCommand,
  NotFoundException,
  PutGroupConfigurationCommand,
  paginateListGroupResources,
  paginateListGroups,
  paginateSearchResources,
  ResourceGroupsClient,
  SearchResourcesCommand,
  TagCommand,
  UngroupResourcesCommand,
  UntagCommand,
  UpdateAccountSettingsCommand,
  UpdateGroupCommand,
  UpdateGroupQueryCommand,
} from "@aws-sdk/client-resource-groups";
import { afterAll, describe, expect, it } from "vitest";
import { clientOptions } from "../support/maker-client.ts";
import { type AccountName, accounts, onBothDatabases } from "../support/medley.ts";

const account = accounts.first.id;
const groupArn = (name: string) => `arn:aws:resource-groups:us-east-1:${account}:group/${name}`;
const instanceArn = (id: string) => `arn:aws:ec2:us-east-1:${account}:instance/${id}`;
const hostArn = (id: string) => `arn:aws:ec2:us-east-1:${account}:dedicated-host/${id}`;
const stackArn = `arn:aws:cloudformation:us-east-1:${account}:stack/shop/fb0d5000`;
const hosts = [
  {
    Type: "AWS::EC2::HostManagement",
    Parameters: [
      { Name: "any-host-based-license-configuration", Values: ["true"] },
      { Name: "auto-allocate-host", Values: ["false"] },
    ],
  },
  {
    Type: "AWS::ResourceGroups::Generic",
    Parameters: [
      { Name: "allowed-resource-types", Values: ["AWS::EC2::Host"] },
      { Name: "deletion-protection", Values: ["UNLESS_EMPTY"] },
    ],
  },
];
const production = {
  Type: "TAG_FILTERS_1_0" as const,
  Query:
    '{"ResourceTypeFilters":["AWS::AllSupported"],"TagFilters":[{"Key":"Stage","Values":["Production"]}]}',
};

onBothDatabases(
  "the maker's client",
  (instance) => {
    const clients: ResourceGroupsClient[] = [];
    const clientOf = (as: AccountName, region?: string) => {
      const client = new ResourceGroupsClient(clientOptions(instance(), "resource-groups", as, region));
      clients.push(client);
      return client;
    };
    afterAll(() => {
      for (const client of clients) client.destroy();
    });
    const send: ResourceGroupsClient["send"] = ((command: never) => clientOf("first").send(command)) as never;
    /** Outside resources are registered in the maker's words as well. */
    const register = async (arn: string, type: string, more: object = {}) => {
      const { status, text } = await instance().bearer("PUT", "/_medley/resources", {
        body: { arn, type, region: "us-east-1", ...more },
      });
      expect(status, text).toBe(200);
    };

    describe("groups by tags", () => {
      it("collects what is tagged, live", async () => {
        for (let index = 0; index < 60; index += 1)
          await register(instanceArn(`i-${100 + index}`), "AWS::EC2::Instance", {
            tags: { Stage: index % 2 ? "Production" : "Test" },
          });
        const made = await send(
          new CreateGroupCommand({
            Name: "production",
            Description: "What customers see",
            ResourceQuery: production,
            Tags: { Team: "Platform" },
          }),
        );
        expect(made).toMatchObject({
          Group: { GroupArn: groupArn("production"), Name: "production", Description: "What customers see" },
          ResourceQuery: production,
          Tags: { Team: "Platform" },
        });
        expect(made.$metadata.requestId).toMatch(/^[0-9a-f-]{36}$/);
        const found: (string | undefined)[] = [];
        for await (const page of paginateListGroupResources(
          { client: clientOf("first"), pageSize: 7 },
          { Group: "production" },
        )) {
          expect(page.QueryErrors).toEqual([]);
          for (const { Identifier } of page.Resources ?? []) {
            expect(Identifier?.ResourceType).toBe("AWS::EC2::Instance");
            found.push(Identifier?.ResourceArn);
          }
        }
        expect(found).toHaveLength(30);
        expect(found[0]).toBe(instanceArn("i-101"));
        await register(instanceArn("i-101"), "AWS::EC2::Instance", { tags: { Stage: "Test" } });
        const after = await send(
          new ListGroupResourcesCommand({
            GroupName: "production",
            MaxResults: 1,
            Filters: [{ Name: "resource-type", Values: ["AWS::EC2::Instance"] }],
          }),
        );
        expect(after.ResourceIdentifiers).toEqual([
          { ResourceArn: instanceArn("i-103"), ResourceType: "AWS::EC2::Instance" },
        ]);
      });
      it("reads, describes, tags and searches", async () => {
        expect((await send(new GetGroupCommand({ Group: groupArn("production") }))).Group?.Name).toBe(
          "production",
        );
        const { Group } = await send(new UpdateGroupCommand({ Group: "production", Description: "Changed" }));
        expect(Group).toEqual({
          GroupArn: groupArn("production"),
          Name: "production",
          Description: "Changed",
        });
        expect((await send(new GetGroupQueryCommand({ Group: "production" }))).GroupQuery).toEqual({
          GroupName: "production",
          ResourceQuery: production,
        });
        const Arn = groupArn("production");
        expect(await send(new TagCommand({ Arn, Tags: { Cost: "42", Team: "Shop" } }))).toMatchObject({
          Arn,
          Tags: { Cost: "42", Team: "Shop" },
        });
        expect(await send(new UntagCommand({ Arn, Keys: ["Cost"] }))).toMatchObject({ Arn, Keys: ["Cost"] });
        expect((await send(new GetTagsCommand({ Arn }))).Tags).toEqual({ Team: "Shop" });
        const both = {
          ...production,
          Query: production.Query.replace('["Production"]', '["Production","Test"]'),
        };
        let count = 0;
        for await (const page of paginateSearchResources(
          { client: clientOf("first") },
          { ResourceQuery: both },
        ))
          count += page.ResourceIdentifiers?.length ?? 0;
        expect(count).toBe(60);
        const changed = await send(new UpdateGroupQueryCommand({ Group: "production", ResourceQuery: both }));
        expect(changed.GroupQuery?.ResourceQuery).toEqual(both);
      });
    });

    describe("groups by stack", () => {
      it("reports what is wrong with the stack, then lists its resources", async () => {
        const ResourceQuery = {
          Type: "CLOUDFORMATION_STACK_1_0" as const,
          Query: JSON.stringify({ ResourceTypeFilters: ["AWS::AllSupported"], StackIdentifier: stackArn }),
        };
        await send(new CreateGroupCommand({ Name: "shop", ResourceQuery }));
        const missing = await send(new ListGroupResourcesCommand({ Group: "shop" }));
        expect(missing.Resources).toEqual([]);
        expect(missing.QueryErrors).toEqual([
          { ErrorCode: "CLOUDFORMATION_STACK_NOT_EXISTING", Message: expect.stringContaining(stackArn) },
        ]);
        await register(stackArn, "AWS::CloudFormation::Stack", { details: { status: "CREATE_COMPLETE" } });
        await register(`arn:aws:s3:::shop-pictures`, "AWS::S3::Bucket", {
          region: undefined,
          tags: { "aws:cloudformation:stack-id": stackArn },
        });
        const there = await send(new SearchResourcesCommand({ ResourceQuery }));
        expect(there.QueryErrors).toEqual([]);
        expect(there.ResourceIdentifiers).toEqual([
          { ResourceArn: "arn:aws:s3:::shop-pictures", ResourceType: "AWS::S3::Bucket" },
        ]);
      });
    });

    describe("groups by hand", () => {
      it("takes and gives dedicated hosts", async () => {
        await instance().clock.freeze();
        for (const id of ["h-1", "h-2"]) await register(hostArn(id), "AWS::EC2::Host");
        const made = await send(new CreateGroupCommand({ Name: "hosts", Configuration: hosts }));
        expect(made.GroupConfiguration).toEqual({ Configuration: hosts, Status: "UPDATE_COMPLETE" });
        const taken = await send(
          new GroupResourcesCommand({
            Group: "hosts",
            ResourceArns: [hostArn("h-1"), hostArn("h-2"), instanceArn("i-100")],
          }),
        );
        expect(taken.Succeeded).toEqual([hostArn("h-1"), hostArn("h-2")]);
        expect(taken.Failed).toEqual([
          {
            ResourceArn: instanceArn("i-100"),
            ErrorCode: "RESOURCE_TYPE_NOT_ALLOWED",
            ErrorMessage: expect.stringContaining("AWS::EC2::Instance"),
          },
        ]);
        const changed = [{ ...hosts[0]!, Parameters: [hosts[0]!.Parameters[0]!] }, hosts[1]!];
        const put = await send(new PutGroupConfigurationCommand({ Group: "hosts", Configuration: changed }));
        expect(put.$metadata.httpStatusCode).toBe(202);
        const during = await send(new GetGroupConfigurationCommand({ Group: "hosts" }));
        expect(during.GroupConfiguration).toEqual({
          Configuration: hosts,
          ProposedConfiguration: changed,
          Status: "UPDATING",
        });
        await instance().clock.advance("30s");
        const after = await send(new GetGroupConfigurationCommand({ Group: "hosts" }));
        expect(after.GroupConfiguration).toEqual({ Configuration: changed, Status: "UPDATE_COMPLETE" });
        const again = await send(
          new PutGroupConfigurationCommand({ Group: "hosts", Configuration: changed }),
        );
        expect(again.$metadata.httpStatusCode).toBe(200);
        await expect(send(new DeleteGroupCommand({ Group: "hosts" }))).rejects.toThrow(BadRequestException);
        const given = await send(
          new UngroupResourcesCommand({ Group: "hosts", ResourceArns: [hostArn("h-1"), hostArn("h-2")] }),
        );
        expect(given.Succeeded).toEqual([hostArn("h-1"), hostArn("h-2")]);
        expect((await send(new DeleteGroupCommand({ Group: "hosts" }))).Group?.Name).toBe("hosts");
      });
    });

    describe("the account", () => {
      it("lists its groups, by pages and filters", async () => {
        const names: (string | undefined)[] = [];
        for await (const page of paginateListGroups({ client: clientOf("first"), pageSize: 1 }, {}))
          names.push(...(page.GroupIdentifiers ?? []).map(({ GroupName }) => GroupName));
        expect(names).toEqual(["production", "shop"]);
        const filtered = await send(
          new ListGroupsCommand({ Filters: [{ Name: "resource-type", Values: ["AWS::AllSupported"] }] }),
        );
        expect(filtered.Groups?.map(({ GroupArn }) => GroupArn)).toEqual([
          groupArn("production"),
          groupArn("shop"),
        ]);
      });
      it("hears of its groups once it asks to", async () => {
        const { AccountSettings: off } = await send(new GetAccountSettingsCommand({}));
        expect(off?.GroupLifecycleEventsStatus).toBe("INACTIVE");
        const { AccountSettings: turning } = await send(
          new UpdateAccountSettingsCommand({ GroupLifecycleEventsDesiredStatus: "ACTIVE" }),
        );
        expect(turning?.GroupLifecycleEventsStatus).toBe("IN_PROGRESS");
        await instance().clock.advance("30s");
        expect((await send(new GetAccountSettingsCommand({}))).AccountSettings).toEqual({
          GroupLifecycleEventsDesiredStatus: "ACTIVE",
          GroupLifecycleEventsStatus: "ACTIVE",
        });
        await register(instanceArn("i-999"), "AWS::EC2::Instance", { tags: { Stage: "Production" } });
        await instance().clock.advance(0);
        const { body } = await instance().bearer("GET", "/_medley/outbox?service=resource-groups");
        expect(body.messages[0]).toMatchObject({
          kind: "event",
          target: `arn:aws:events:us-east-1:${account}:event-bus/default`,
          body: {
            source: "aws.resource-groups",
            "detail-type": "ResourceGroups Group Membership Change",
            detail: {
              group: { arn: groupArn("production") },
              resources: [
                {
                  "membership-change": "add",
                  arn: instanceArn("i-999"),
                  "resource-type": "AWS::EC2::Instance",
                },
              ],
            },
          },
        });
      });
      it("shares nothing with other accounts and regions", async () => {
        for (const client of [clientOf("second"), clientOf("first", "eu-west-1")]) {
          await expect(client.send(new GetGroupCommand({ Group: "production" }))).rejects.toThrow(
            NotFoundException,
          );
          expect((await client.send(new ListGroupsCommand({}))).GroupIdentifiers).toEqual([]);
          const search = await client.send(new SearchResourcesCommand({ ResourceQuery: production }));
          expect(search.ResourceIdentifiers).toEqual([]);
        }
      });
    });

    it("gets errors as its own classes", async () => {
      await expect(send(new CreateGroupCommand({ Name: "production" }))).rejects.toThrow(BadRequestException);
      await expect(send(new GetGroupCommand({ Group: "nowhere" }))).rejects.toThrow(NotFoundException);
      const malformed = send(
        new SearchResourcesCommand({ ResourceQuery: { Type: "TAG_FILTERS_1_0", Query: "{" } }),
      );
      await expect(malformed).rejects.toThrow(/not JSON/);
      await instance().bearer("POST", "/_medley/credentials", {
        body: {
          accounts: [
            { id: "444444444444", accessKeys: [{ id: "MDLYNOTHING0000004", secret: "nothing-allowed-4" }] },
          ],
        },
      });
      const nobody = new ResourceGroupsClient({
        endpoint: `${instance().url}/resource-groups`,
        region: "us-east-1",
        credentials: { accessKeyId: "MDLYNOTHING0000004", secretAccessKey: "nothing-allowed-4" },
        maxAttempts: 1,
      });
      clients.push(nobody);
      await expect(nobody.send(new ListGroupsCommand({}))).rejects.toThrow(ForbiddenException);
    });
  },
  { services: ["resource-groups"], provisioningSeconds: 30 },
);
