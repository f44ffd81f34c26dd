/** What moto's own tests of resource groups send, told with the maker's client. */
import * as groups from "@aws-sdk/client-resource-groups";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientOptions, refusalOf } from "../support/maker-client.ts";
import { accounts, onBothDatabases } from "../support/medley.ts";

const Name = "test_resource_group";
const ResourceTypeFilters = ["AWS::AllSupported"];
const byTags = (Key: string, Value: string): groups.ResourceQuery => ({
  Type: "TAG_FILTERS_1_0",
  Query: JSON.stringify({ ResourceTypeFilters, TagFilters: [{ Key, Values: [Value] }] }),
});
const byStack: groups.ResourceQuery = {
  Type: "CLOUDFORMATION_STACK_1_0",
  Query: JSON.stringify({
    ResourceTypeFilters,
    StackIdentifier: `arn:aws:cloudformation:us-east-1:${accounts.first.id}:stack/test_stack/c223eca0-e744-11e8-8910-500c41f59083`,
  }),
};

onBothDatabases(
  "what moto's tests of resource groups send",
  (instance) => {
    let client: groups.ResourceGroupsClient;
    const send: groups.ResourceGroupsClient["send"] = ((command: never) => client.send(command)) as never;
    beforeAll(() => {
      client = new groups.ResourceGroupsClient(clientOptions(instance(), "resource-groups"));
    });
    afterAll(() => client.destroy());

    it("a group by tags: made, read, tagged, changed and deleted", async () => {
      const made = await send(
        new groups.CreateGroupCommand({
          Name,
          Description: "description",
          ResourceQuery: byTags("resources_tag_key", "resources_tag_value"),
          Tags: { first: "one" },
        }),
      );
      expect(made).toMatchObject({
        Group: { Name },
        ResourceQuery: { Type: "TAG_FILTERS_1_0" },
        Tags: { first: "one" },
      });
      const { Group } = await send(new groups.GetGroupCommand({ GroupName: Name }));
      expect(Group).toMatchObject({ Name, Description: "description" });
      const Arn = Group?.GroupArn;
      const listed = await send(new groups.ListGroupsCommand({}));
      expect([listed.GroupIdentifiers?.length, listed.Groups?.length]).toEqual([1, 1]);

      expect((await send(new groups.TagCommand({ Arn, Tags: { second: "two" } }))).Tags).toEqual({
        second: "two",
      });
      expect((await send(new groups.GetTagsCommand({ Arn }))).Tags).toEqual({ first: "one", second: "two" });
      expect((await send(new groups.UntagCommand({ Arn, Keys: ["first"] }))).Keys).toEqual(["first"]);
      expect((await send(new groups.GetTagsCommand({ Arn }))).Tags).toEqual({ second: "two" });

      const changed = { GroupName: Name, Description: "description_2" };
      expect((await send(new groups.UpdateGroupCommand(changed))).Group).toMatchObject({
        Description: "description_2",
      });
      for (const ResourceQuery of [byStack, byTags("other", "value")]) {
        const { GroupQuery } = await send(
          new groups.UpdateGroupQueryCommand({ GroupName: Name, ResourceQuery }),
        );
        expect(GroupQuery?.ResourceQuery?.Type).toBe(ResourceQuery.Type);
        const read = await send(new groups.GetGroupQueryCommand({ GroupName: Name }));
        expect(read.GroupQuery?.ResourceQuery).toEqual(ResourceQuery);
      }
      expect((await send(new groups.DeleteGroupCommand({ GroupName: Name }))).Group).toMatchObject({ Name });
      const left = await send(new groups.ListGroupsCommand({}));
      expect([left.GroupIdentifiers, left.Groups]).toEqual([[], []]);
    });

    it("a configuration: put on a group that has one; a group with a query cannot have both", async () => {
      const Configuration = [
        {
          Type: "AWS::ResourceGroups::Generic",
          Parameters: [
            { Name: "allowed-resource-types", Values: ["AWS::EC2::Host"] },
            { Name: "deletion-protection", Values: ["UNLESS_EMPTY"] },
          ],
        },
      ];
      await send(new groups.CreateGroupCommand({ Name: "configured", Configuration }));
      await send(new groups.PutGroupConfigurationCommand({ Group: "configured", Configuration }));
      const { GroupConfiguration } = await send(
        new groups.GetGroupConfigurationCommand({ Group: "configured" }),
      );
      expect(GroupConfiguration?.Configuration).toEqual(Configuration);
      await send(new groups.CreateGroupCommand({ Name, ResourceQuery: byTags("a", "b") }));
      expect(
        await refusalOf(send(new groups.PutGroupConfigurationCommand({ Group: Name, Configuration }))),
      ).toBe("BadRequestException");
    });
  },
  { services: ["resource-groups"] },
);
