/** Operations that read, update, list and delete groups. */
import { Type } from "@sinclair/typebox";
import { type Group, isProtectedUnlessEmpty } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { applyConfiguration, configurationKeyOf, findPublishing, publishState } from "../jobs/index.ts";
import { deleteGroup, hasMembers, listGroups, saveGroup } from "../store/index.ts";
import * as wire from "../wire.ts";
import { createGroupOperation } from "./create-group.ts";
import { getNamedGroup, namedGroup, operation, pageRequestOf } from "./operation.ts";

const ofOneGroup = {
  body: Type.Object(wire.groupMembers),
  answers: { 200: Type.Object({ Group: wire.GroupView }) },
  errors: [errors.badRequest, errors.notFound],
  examples: { body: { Group: "production" } },
  resource: namedGroup,
};

const getGroupOperation = operation({
  id: "resource-groups.GetGroup",
  summary: "Returns a group's name, ARN and description",
  description:
    "Takes the name or the ARN of the group. Read its query with `resource-groups.GetGroupQuery` and its configuration with `resource-groups.GetGroupConfiguration`.",
  method: "POST",
  path: "/get-group",
  permission: "resource-groups:GetGroup",
  transaction: "read",
  ...ofOneGroup,
  async handle({ body }, context) {
    return { Group: wire.groupViewOf(await getNamedGroup(context, body)) };
  },
});

const updateGroupOperation = operation({
  id: "resource-groups.UpdateGroup",
  summary: "Changes a group's description",
  description: "The name cannot change. Without a description, or with the same one, nothing changes.",
  method: "POST",
  path: "/update-group",
  permission: "resource-groups:UpdateGroup",
  body: Type.Object({ ...wire.groupMembers, Description: Type.Optional(wire.Description) }),
  answers: { 200: Type.Object({ Group: wire.GroupView }) },
  errors: [errors.badRequest, errors.notFound],
  examples: { body: { Group: "production", Description: "What customers see." } },
  resource: namedGroup,
  async handle({ body }, context) {
    const group = await getNamedGroup(context, body);
    const { Description: description } = body;
    if (description === undefined || description === group.description)
      return { Group: wire.groupViewOf(group) };
    const changed = { ...group, description };
    await saveGroup(context.db, context.account, changed, context.clock.nowMs());
    await publishState(context, await findPublishing(context, group.region), group, "update", {
      before: { description: group.description },
      after: { description },
    });
    return { Group: wire.groupViewOf(changed) };
  },
});

const deleteGroupOperation = operation({
  id: "resource-groups.DeleteGroup",
  summary: "Deletes a group",
  description:
    "The members stay. Cancels a configuration change that is being applied. A group whose configuration demands it can be deleted only when it is empty. With events on, the deletion is published.",
  method: "POST",
  path: "/delete-group",
  permission: "resource-groups:DeleteGroup",
  ...ofOneGroup,
  async handle({ body }, context) {
    const group = await getNamedGroup(context, body);
    if (
      isProtectedUnlessEmpty(group.configuration) &&
      (await hasMembers(context.db, context.account, context.catalog, group))
    )
      throw errors.badRequest(`The group ${group.name} can be deleted only when it has no members.`);
    await publishState(context, await findPublishing(context, group.region), group, "delete");
    await context.cancelJob(applyConfiguration, configurationKeyOf(context.account, group));
    await deleteGroup(context.db, context.account, group);
    await context.catalog.remove(group.arn);
    return { Group: wire.groupViewOf(group) };
  },
});

const listGroupsOperation = operation({
  id: "resource-groups.ListGroups",
  summary: "Lists groups by name",
  description: "Only groups of the request's region. Several filters must all match.",
  method: "POST",
  path: "/groups-list",
  permission: "resource-groups:ListGroups",
  transaction: "read",
  query: Type.Object({
    maxResults: Type.Optional(wire.MaxResults),
    nextToken: Type.Optional(wire.NextToken),
  }),
  body: Type.Object({ Filters: Type.Optional(wire.GroupFilters) }),
  answers: {
    200: Type.Object({
      GroupIdentifiers: Type.Array(Type.Object({ GroupName: Type.String(), GroupArn: Type.String() })),
      Groups: Type.Array(wire.GroupView),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.badRequest],
  examples: { body: { Filters: [{ Name: "resource-type", Values: ["Vendor::AllSupported"] }] } },
  async handle({ query, body }, context) {
    const { region } = context.request;
    const filters = (body.Filters ?? []).map(({ Name, Values }) => ({ filter: Name, types: Values }));
    const { rows, nextToken } = await context.pages.of(
      pageRequestOf(query.maxResults, query.nextToken, filters),
      (group: Group) => [group.name],
      (after, limit) =>
        listGroups(context.db, context.account, region, filters, { after: after?.[0] ?? "", limit }),
    );
    return {
      GroupIdentifiers: rows.map(({ name, arn }) => ({ GroupName: name, GroupArn: arn })),
      Groups: rows.map(wire.groupViewOf),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

export const groupOperations = [
  createGroupOperation,
  getGroupOperation,
  updateGroupOperation,
  deleteGroupOperation,
  listGroupsOperation,
];
