/** Every operation asks for its own permission, on the group it is about; two ask for more. */
import {
  CreateGroupCommand,
  DeleteGroupCommand,
  GetAccountSettingsCommand,
  GetGroupCommand,
  GetGroupConfigurationCommand,
  GetGroupQueryCommand,
  GetTagsCommand,
  GroupResourcesCommand,
  ListGroupResourcesCommand,
  ListGroupsCommand,
  PutGroupConfigurationCommand,
  ResourceGroupsClient,
  SearchResourcesCommand,
  TagCommand,
  UngroupResourcesCommand,
  UntagCommand,
  UpdateAccountSettingsCommand,
  UpdateGroupCommand,
  UpdateGroupQueryCommand,
} from "@aws-sdk/client-resource-groups";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { accountWith, allow, deny, outcomeOf, type Policy } from "../../../tests/support/policies.ts";

const looking = ["cloudformation:DescribeStacks", "cloudformation:ListStackResources", "tag:GetResources"];
const query = { Type: "TAG_FILTERS_1_0" as const, Query: '{"TagFilters":[{"Key":"a"}]}' };
const arns = ["arn:aws:ec2:us-east-1:300000000001:dedicated-host/h-1"];

/** Asked of an account that has nothing, so that what is allowed mostly ends in "not found". */
const calls: Record<string, (arn: string) => any> = {
  CreateGroup: () => new CreateGroupCommand({ Name: "mine" }),
  DeleteGroup: (arn) => new DeleteGroupCommand({ Group: arn }),
  GetAccountSettings: () => new GetAccountSettingsCommand({}),
  GetGroup: (arn) => new GetGroupCommand({ Group: arn }),
  GetGroupConfiguration: (arn) => new GetGroupConfigurationCommand({ Group: arn }),
  GetGroupQuery: () => new GetGroupQueryCommand({ GroupName: "mine" }),
  GetTags: (arn) => new GetTagsCommand({ Arn: arn }),
  GroupResources: (arn) => new GroupResourcesCommand({ Group: arn, ResourceArns: arns }),
  ListGroupResources: () => new ListGroupResourcesCommand({ Group: "mine" }),
  ListGroups: () => new ListGroupsCommand({}),
  PutGroupConfiguration: (arn) => new PutGroupConfigurationCommand({ Group: arn, Configuration: [] }),
  SearchResources: () => new SearchResourcesCommand({ ResourceQuery: query }),
  Tag: (arn) => new TagCommand({ Arn: arn, Tags: {} }),
  UngroupResources: (arn) => new UngroupResourcesCommand({ Group: arn, ResourceArns: arns }),
  Untag: (arn) => new UntagCommand({ Arn: arn, Keys: [] }),
  UpdateAccountSettings: () => new UpdateAccountSettingsCommand({}),
  UpdateGroup: (arn) => new UpdateGroupCommand({ Group: arn }),
  UpdateGroupQuery: (arn) => new UpdateGroupQueryCommand({ Group: arn, ResourceQuery: query }),
};
const withoutGroup = ["GetAccountSettings", "UpdateAccountSettings", "ListGroups", "SearchResources"];

describe("permissions", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ services: ["resource-groups"] });
  });
  afterAll(() => instance.stop());

  /** Makes an account of these policies, and asks: `allowed`, or the action that it misses. */
  async function ask(name: string, policies: Policy[], group = "mine"): Promise<string> {
    const { id, settings } = await accountWith(instance, "/resource-groups", policies);
    const client = new ResourceGroupsClient(settings);
    return outcomeOf(client, () =>
      client.send(calls[name]?.(`arn:aws:resource-groups:us-east-1:${id}:group/${group}`)),
    );
  }

  it.each(Object.keys(calls))("%s needs its own permission and no other", async (name) => {
    const action = `resource-groups:${name}`;
    const needed = ["ListGroupResources", "SearchResources"].includes(name) ? [action, ...looking] : [action];
    expect(await ask(name, [allow(needed)])).toBe("allowed");
    expect(await ask(name, [allow(["*"]), deny([action])])).toBe(action);
    expect(needed).toContain(await ask(name, []));
  });
  it.each(["ListGroupResources", "SearchResources"])(
    "%s needs to look at stacks and tags too",
    async (name) => {
      for (const action of looking) expect(await ask(name, [allow(["*"]), deny([action])])).toBe(action);
    },
  );
  it.each(Object.keys(calls).filter((name) => !withoutGroup.includes(name)))(
    "%s can be allowed for one group alone",
    async (name) => {
      const action = `resource-groups:${name}`;
      for (const partition of ["vendor", "aws"]) {
        const one = `arn:${partition}:resource-groups:us-east-1:ACCOUNT:group/mine`;
        const policies = [allow([action], [one]), allow(looking)];
        expect(await ask(name, policies)).toBe("allowed");
      }
      const another = allow([action], ["arn:vendor:resource-groups:us-east-1:ACCOUNT:group/other"]);
      expect(await ask(name, [another, allow(looking)])).toBe(action);
    },
  );
});
