/** Resource groups: made, read, changed, listed and deleted by their public paths. */
import {
  type Answer,
  answer,
  type Context,
  noBody,
  type Operation,
  type OperationInput,
} from "#kernel/operation";
import {
  changeResource,
  checkGroupName,
  checkTags,
  DELETING,
  findById,
  groupIdOf,
  groupNotFound,
  insertResource,
  listOf,
  locationKeyOf,
  type ManagedResource,
  managementErrors,
  mergeTags,
  newGroup,
  pageOfResources,
  RESOURCE_GROUP_TYPE,
  requireSubscription,
  subscriptionKeyOf,
} from "#kernel/resource-provider";
import { errors } from "../errors.ts";
import { beginGroupDeletion } from "../jobs.ts";
import { GroupAnswer, GroupBody, GroupPatch, pageMembers, presentGroup } from "../wire.ts";
import { declaration, versionedQuery } from "./declaration.ts";
import { filterMembers, selectionOf } from "./filter.ts";
import { groupDeletionHeaders } from "./group-deletions.ts";

const GROUPS = "/subscriptions/{subscriptionId}/resourceGroups";
const GROUP = `${GROUPS}/{resourceGroupName}`;

type Params = { subscriptionId: string; resourceGroupName: string };

async function findGroup(context: Context, params: Params): Promise<ManagedResource | undefined> {
  await requireSubscription(context, params.subscriptionId);
  return findById(context, groupIdOf(params.subscriptionId, params.resourceGroupName));
}
async function getGroup(context: Context, params: Params): Promise<ManagedResource> {
  const group = await findGroup(context, params);
  if (!group) throw groupNotFound(params.resourceGroupName);
  return group;
}
function refuseWhileDeleting(group: ManagedResource): void {
  if (group.state !== DELETING) return;
  throw managementErrors.groupBeingDeleted(`The resource group '${group.name}' is being deleted.`);
}

async function putGroup(context: Context, params: Params, body: GroupBody): Promise<Answer> {
  checkGroupName(params.resourceGroupName);
  const existing = await findGroup(context, params);
  const wanted = {
    location: body.location,
    tags: checkTags(body.tags ?? {}),
    ...(body.managedBy !== undefined && { managedBy: body.managedBy }),
  };
  if (!existing) {
    const made = newGroup(context, params.subscriptionId, params.resourceGroupName, wanted);
    await insertResource(context, made);
    return answer(201, presentGroup(made));
  }
  refuseWhileDeleting(existing);
  if (locationKeyOf(existing.location ?? "") !== locationKeyOf(wanted.location))
    throw errors.invalidGroupLocation(
      `The resource group '${existing.name}' already exists in location '${existing.location}'; it cannot be made in '${wanted.location}'.`,
      { target: "location" },
    );
  const { managedBy: owner } = wanted;
  const changed = await changeResource(context, existing, {
    tags: wanted.tags,
    envelope: owner === undefined ? {} : { managedBy: owner },
  });
  return answer(200, presentGroup(changed));
}

async function patchGroup(context: Context, params: Params, body: GroupPatch): Promise<Answer> {
  const group = await getGroup(context, params);
  refuseWhileDeleting(group);
  const changed = await changeResource(context, group, {
    tags: mergeTags(group.tags, body.tags),
    envelope: { ...group.envelope, ...(body.managedBy !== undefined && { managedBy: body.managedBy }) },
  });
  return answer(200, presentGroup(changed));
}

async function deleteGroup(context: Context, params: Params): Promise<Answer> {
  const group = await getGroup(context, params);
  const operationId = group.operation ?? (await beginGroupDeletion(context, group));
  if (operationId === undefined) return answer(200);
  return answer(202, undefined, await groupDeletionHeaders(context, group.subscriptionId, operationId));
}

async function listGroups(context: Context, subscriptionId: string, query: OperationInput["query"]) {
  await requireSubscription(context, subscriptionId);
  const listed = {
    scope: { parentKey: subscriptionKeyOf(subscriptionId) },
    type: RESOURCE_GROUP_TYPE,
    select: selectionOf(query.$filter),
  };
  const { resources, nextLink } = await pageOfResources(context, listed, query);
  return { value: resources.map(presentGroup), ...(nextLink !== undefined && { nextLink }) };
}

const shared = (path: string, verb: string, permission: string) =>
  declaration({
    id: `groups.${verb}`,
    path,
    permission: `subscriptions/resourceGroups/${permission}`,
    errors: [
      managementErrors.groupNotFound,
      managementErrors.invalidGroupName,
      errors.invalidGroupLocation,
      managementErrors.invalidTags,
      managementErrors.groupBeingDeleted,
    ],
  });

export const groupOperations: readonly Operation[] = [
  {
    ...shared(GROUPS, "list", "read"),
    summary: "Lists the resource groups of a subscription.",
    description:
      "`$filter` takes `tagName` and `tagValue`, or comparisons of name and location. Pages have 100 groups unless `$top` says otherwise.",
    method: "GET",
    query: versionedQuery({ ...pageMembers, ...filterMembers }),
    answers: { 200: listOf(GroupAnswer) },
    handle: ({ params, query }, context) => listGroups(context, params.subscriptionId, query),
  },
  {
    ...shared(GROUP, "get", "read"),
    summary: "Reads a resource group.",
    description: "`provisioningState` is `Deleting` while a deletion is running.",
    method: "GET",
    answers: { 200: GroupAnswer },
    handle: async ({ params }, context) => presentGroup(await getGroup(context, params)),
  },
  {
    ...shared(GROUP, "exists", "read"),
    summary: "Checks whether a resource group exists.",
    description: "204 if it exists, otherwise 404.",
    method: "HEAD",
    answers: { 204: noBody },
    handle: async ({ params }, context) => {
      await getGroup(context, params);
      return answer(204);
    },
  },
  {
    ...shared(GROUP, "put", "write"),
    summary: "Creates or updates a resource group.",
    description:
      "Replaces the tags of an existing group; its location cannot change. Without `--strict-parents`, the first resource of a group creates it too. Refused while the group is being deleted.",
    method: "PUT",
    body: GroupBody,
    answers: { 200: GroupAnswer, 201: GroupAnswer },
    handle: ({ params, body }, context) => putGroup(context, params, body),
  },
  {
    ...shared(GROUP, "patch", "write"),
    summary: "Changes a resource group.",
    description: "Merges the tags; `null` removes a tag. Refused while the group is being deleted.",
    method: "PATCH",
    body: GroupPatch,
    answers: { 200: GroupAnswer },
    handle: ({ params, body }, context) => patchGroup(context, params, body),
  },
  {
    ...shared(GROUP, "delete", "delete"),
    summary: "Deletes a resource group with everything in it.",
    description:
      "A job deletes the resources of all providers, in batches, and cancels their running operations; rules that protect single resources do not apply. A repeated request gives the same operation. Poll the URL in `Location`.",
    method: "DELETE",
    answers: { 200: noBody, 202: noBody },
    handle: ({ params }, context) => deleteGroup(context, params),
  },
];
