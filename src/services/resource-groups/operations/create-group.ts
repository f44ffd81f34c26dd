/** Operation that creates a group. */
import { Type } from "@sinclair/typebox";
import { createGroup } from "../actions/create-group.ts";
import { groupArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import * as wire from "../wire.ts";
import { operation } from "./operation.ts";

export const createGroupOperation = operation({
  id: "resource-groups.CreateGroup",
  summary: "Creates a group from a query or a configuration",
  description:
    "A query group finds its members whenever they are listed; a configured group has members that are added by request. The name is unique in account and region, where at most 100000 groups fit. The group is a resource itself: it has tags and can be a member of other groups. With events on, its creation is published.",
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
