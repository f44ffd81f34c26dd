/** Making a group. */
import { Type } from "@sinclair/typebox";
import {
  type Configuration,
  checkConfiguration,
  checkName,
  checkTags,
  GROUP_TYPE,
  type Group,
  groupArnOf,
  parseQuery,
  type Tags,
  type WrittenQuery,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { findPublishing, publishState, startComparison } from "../jobs/index.ts";
import type { GroupContext } from "../state.ts";
import { insertGroup } from "../store/index.ts";
import * as wire from "../wire.ts";
import { operation } from "./operation.ts";
import { requireRoomForGroup } from "./room.ts";

export type NewGroup = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly query?: WrittenQuery | undefined;
  readonly configuration?: Configuration | undefined;
  readonly tags?: Tags;
};

const createdOf = (context: GroupContext, region: string, wanted: NewGroup): Group => ({
  region,
  name: wanted.name,
  arn: groupArnOf(context.account, region, wanted.name),
  uniqueId: context.ids.uuid(),
  ...(wanted.description !== undefined && { description: wanted.description }),
  ...(wanted.query && { query: wanted.query }),
  ...(wanted.configuration?.length && {
    configuration: wanted.configuration,
    configurationStatus: "UPDATE_COMPLETE",
  }),
});

async function tell(context: GroupContext, group: Group): Promise<void> {
  const publishing = await findPublishing(context, group.region);
  if (!publishing) return;
  const { description, query, configuration } = group;
  await publishState(context, publishing, group, "create", { after: { description, query, configuration } });
  if (query) await startComparison(context, publishing, group);
}

/** A group is a resource itself: it is in the catalogue, with its tags, and can be a member of other groups. */
export const putInCatalog = (
  context: GroupContext,
  { arn, name, region }: Group,
  tags: Tags,
): Promise<void> => context.catalog.put({ arn, type: GROUP_TYPE, name, region, tags });

export async function createGroup(context: GroupContext, region: string, wanted: NewGroup): Promise<Group> {
  const { name, query, configuration = [], tags = {} } = wanted;
  checkName(name);
  checkTags(tags);
  checkConfiguration(configuration, query && parseQuery(query));
  await requireRoomForGroup(context, region);
  const group = createdOf(context, region, wanted);
  if (!(await insertGroup(context.db, context.account, group, context.clock.nowMs())))
    throw errors.badRequest(`There is a group named ${name} already in this account and region.`);
  await putInCatalog(context, group, tags);
  await tell(context, group);
  return group;
}

export const createGroupOperation = operation({
  id: "resource-groups.CreateGroup",
  summary: "Makes a group from a query or a configuration",
  method: "POST",
  path: "/groups",
  permission: "resource-groups:CreateGroup",
  body: Type.Object({
    Name: wire.Name,
    Description: Type.Optional(wire.Description),
    ResourceQuery: Type.Optional(wire.ResourceQuery),
    Tags: Type.Optional(wire.Tags),
    Configuration: Type.Optional(wire.ConfigurationList),
  }),
  answers: {
    200: Type.Object({
      Group: wire.GroupView,
      ResourceQuery: Type.Optional(wire.ResourceQuery),
      Tags: wire.Tags,
      GroupConfiguration: Type.Optional(wire.GroupConfigurationView),
    }),
  },
  errors: [errors.badRequest],
  examples: {
    body: {
      Name: "production",
      Description: "Everything that customers see.",
      ResourceQuery: {
        Type: "TAG_FILTERS_1_0",
        Query:
          '{"ResourceTypeFilters":["Vendor::AllSupported"],"TagFilters":[{"Key":"stage","Values":["production"]}]}',
      },
      Tags: { team: "platform" },
    },
  },
  resource: ({ body }, account, region) => groupArnOf(account, region, body.Name),
  async handle({ body }, context) {
    const { Tags: tags = {}, ResourceQuery: query, Configuration: items } = body;
    const group = await createGroup(context, context.request.region, {
      name: body.Name,
      description: body.Description,
      query: query && wire.writtenQueryOf(query),
      configuration: items && wire.configurationOf(items),
      tags,
    });
    return {
      Group: wire.groupViewOf(group),
      Tags: tags,
      ...(group.query && { ResourceQuery: wire.queryViewOf(group.query) }),
      ...(group.configuration && { GroupConfiguration: wire.configurationViewOf(group) }),
    };
  },
});
