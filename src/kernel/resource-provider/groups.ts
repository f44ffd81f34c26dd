/** Resource groups: made, read, changed, listed and deleted by their public paths. */
import { Type } from "@sinclair/typebox";
import { type Answer, answer, noBody } from "../operation/answers.ts";
import type { Context } from "../operation/context.ts";
import type { Operation, OperationInput } from "../operation/operation.ts";
import { checkTags, mergeTags } from "./desired.ts";
import { commonErrors, managementErrors } from "./errors.ts";
import { beginGroupDeletion, groupDeletionHeaders } from "./group-deletion.ts";
import {
  groupIdOf,
  locationKeyOf,
  RESOURCE_GROUP_TYPE,
  RESOURCES_NAMESPACE,
  subscriptionKeyOf,
} from "./identifiers.ts";
import { MANAGER_VERSION } from "./mount.ts";
import { pageOfResources } from "./pages.ts";
import { DELETING, groupNotFound, newGroup } from "./parents.ts";
import { checkGroupName, paramsOf, requireSubscription, resourceAt } from "./place.ts";
import { changeResource, findById, insertResource, RESOURCE_MANAGER } from "./records.ts";
import type { ManagedResource, Tags } from "./types.ts";
import { apiVersionQuery, listOf, tagChanges, trackedAnswer, trackedBody } from "./wire.ts";

const GROUPS = "/subscriptions/{subscriptionId}/resourceGroups";
const GROUP = `${GROUPS}/{resourceGroupName}`;

const managedBy = Type.Optional(Type.String({ maxLength: 1024 }));
const groupBody = trackedBody({ managedBy });
const groupPatch = Type.Object({
  name: Type.Optional(Type.String()),
  tags: Type.Optional(tagChanges),
  managedBy,
});
const groupAnswer = trackedAnswer({
  managedBy,
  properties: Type.Object({ provisioningState: Type.String() }),
});
type Params = { subscriptionId: string; resourceGroupName: string };
type GroupPatch = { tags?: Record<string, string | null>; managedBy?: string };
type GroupBody = { location: string; tags?: Tags; managedBy?: string };

const presentGroup = (group: ManagedResource) => ({
  id: group.id,
  name: group.name,
  type: group.type,
  location: group.location ?? "",
  tags: group.tags,
  ...group.envelope,
  properties: { provisioningState: group.state },
});

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
    throw managementErrors.invalidGroupLocation(
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
  const listed = { scope: { parentKey: subscriptionKeyOf(subscriptionId) }, type: RESOURCE_GROUP_TYPE };
  const { resources, nextLink } = await pageOfResources(context, listed, query);
  return { value: resources.map(presentGroup), ...(nextLink !== undefined && { nextLink }) };
}

const shared = (path: string, verb: string, permission: string) => ({
  id: `${RESOURCE_MANAGER}.groups.${verb}`,
  path,
  params: paramsOf(path),
  query: apiVersionQuery({}, MANAGER_VERSION),
  permission: `${RESOURCES_NAMESPACE}/subscriptions/resourceGroups/${permission}`,
  errors: [
    ...commonErrors,
    managementErrors.groupNotFound,
    managementErrors.invalidGroupName,
    managementErrors.invalidGroupLocation,
    managementErrors.invalidTags,
    managementErrors.groupBeingDeleted,
  ],
  resource: resourceAt(path),
});

export const groupOperations: readonly Operation[] = [
  {
    ...shared(GROUPS, "list", "read"),
    summary: "Lists the resource groups of a subscription.",
    method: "GET",
    query: apiVersionQuery(
      {
        $top: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
        $skipToken: Type.Optional(Type.String({ maxLength: 2048 })),
      },
      MANAGER_VERSION,
    ),
    answers: { 200: listOf(groupAnswer) },
    handle: ({ params, query }, context) => listGroups(context, params.subscriptionId, query),
  },
  {
    ...shared(GROUP, "get", "read"),
    summary: "Reads a resource group.",
    method: "GET",
    answers: { 200: groupAnswer },
    handle: async ({ params }, context) => presentGroup(await getGroup(context, params)),
  },
  {
    ...shared(GROUP, "exists", "read"),
    summary: "Answers whether a resource group exists.",
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
    method: "PUT",
    body: groupBody,
    answers: { 200: groupAnswer, 201: groupAnswer },
    handle: ({ params, body }, context) => putGroup(context, params, body),
  },
  {
    ...shared(GROUP, "patch", "write"),
    summary: "Changes a resource group.",
    method: "PATCH",
    body: groupPatch,
    answers: { 200: groupAnswer },
    handle: ({ params, body }, context) => patchGroup(context, params, body),
  },
  {
    ...shared(GROUP, "delete", "delete"),
    summary: "Deletes a resource group with everything in it.",
    method: "DELETE",
    answers: { 200: noBody, 202: noBody },
    handle: ({ params }, context) => deleteGroup(context, params),
  },
];
