/** Resources of every type, in a subscription or a resource group. */
import type { Context, Operation } from "#kernel/operation";
import {
  findById,
  groupIdOf,
  groupNotFound,
  keyOf,
  type ListScope,
  listOf,
  managementErrors,
  pageOfResources,
  RESOURCE_GROUP_TYPE,
  requireSubscription,
} from "#kernel/resource-provider";
import { ListedResource, pageMembers, presentListed } from "../wire.ts";
import { declaration, versionedQuery } from "./declaration.ts";
import { filterMembers, selectionOf } from "./filter.ts";

type ResourcesQuery = { $filter?: string; $top?: number; $skipToken?: string };
async function listResources(context: Context, scope: ListScope, query: ResourcesQuery) {
  const listed = { scope, exceptType: RESOURCE_GROUP_TYPE, select: selectionOf(query.$filter) };
  const { resources, nextLink } = await pageOfResources(context, listed, query);
  return { value: resources.map(presentListed), ...(nextLink !== undefined && { nextLink }) };
}
async function listInGroup(
  context: Context,
  { subscriptionId, resourceGroupName }: { subscriptionId: string; resourceGroupName: string },
  query: ResourcesQuery,
) {
  await requireSubscription(context, subscriptionId);
  const id = groupIdOf(subscriptionId, resourceGroupName);
  if (!(await findById(context, id))) throw groupNotFound(resourceGroupName);
  return listResources(context, { groupKey: keyOf(id) }, query);
}

const shared = (verb: string, path: string) => ({
  ...declaration({
    id: `resources.${verb}`,
    path,
    permission: "resources/read",
    errors: [managementErrors.groupNotFound],
  }),
  query: versionedQuery({ ...pageMembers, ...filterMembers }),
});

export const resourceOperations: readonly Operation[] = [
  {
    ...shared("list", "/subscriptions/{subscriptionId}/resources"),
    summary: "Lists the resources of a subscription, of all types.",
    description:
      "Includes child resources, but not resource groups. `$filter` takes `tagName` and `tagValue`, or comparisons of name, type, group and location. Pages have 100 resources unless `$top` says otherwise.",
    method: "GET",
    answers: { 200: listOf(ListedResource) },
    async handle({ params: { subscriptionId }, query }, context) {
      await requireSubscription(context, subscriptionId);
      return listResources(context, { subscriptionId }, query);
    },
  },
  {
    ...shared(
      "list-in-group",
      "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/resources",
    ),
    summary: "Lists the resources of a resource group, of all types.",
    description:
      "Includes child resources. Takes the same `$filter` as `resource-manager.resources.list`. Pages have 100 resources unless `$top` says otherwise.",
    method: "GET",
    answers: { 200: listOf(ListedResource) },
    handle: ({ params, query }, context) => listInGroup(context, params, query),
  },
];
