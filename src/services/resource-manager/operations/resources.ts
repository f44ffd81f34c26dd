/** Resources of every type, in a subscription or a resource group. */
import { Type } from "@sinclair/typebox";
import { compileFilter, FilterError, parseFilter } from "#kernel/odata";
import { type Context, kernelErrors, type Operation } from "#kernel/operation";
import {
  findById,
  groupIdOf,
  groupNotFound,
  keyOf,
  type ListScope,
  listOf,
  type ManagedResource,
  managementErrors,
  pageOfResources,
  RESOURCE_GROUP_TYPE,
  requireSubscription,
} from "#kernel/resource-provider";
import { ListedResource, pageMembers, presentListed } from "../wire.ts";
import { declaration, versionedQuery } from "./declaration.ts";

const FILTER_FIELDS = {
  name: { type: "string", ignoreCase: true },
  resourceType: { type: "string", ignoreCase: true, path: ["type"] },
  resourceGroup: { type: "string", ignoreCase: true },
  location: { type: "string", ignoreCase: true },
} as const;
const TAG_FILTER = /^\s*tagName\s+eq\s+'((?:[^']|'')*)'(?:\s+and\s+tagValue\s+eq\s+'((?:[^']|'')*)')?\s*$/i;

/** `tagName eq 'a' and tagValue eq 'b'` stands alone, as the public interface has it; anything else compares members. */
function selectOf(filter: string | undefined): ((resource: ManagedResource) => boolean) | undefined {
  if (filter === undefined || filter.trim() === "") return undefined;
  const [, tagName, tagValue] = (TAG_FILTER.exec(filter) ?? []).map((text) => text?.replaceAll("''", "'"));
  if (tagName !== undefined)
    return ({ tags: given }) =>
      Object.entries(given).some(
        ([name, value]) =>
          name.toLowerCase() === tagName.toLowerCase() && (tagValue === undefined || value === tagValue),
      );
  try {
    const neutral = filter.replace(/(?<![a-z0-9])microsoft\./gi, "Vendor.");
    const matches = compileFilter(parseFilter(neutral), FILTER_FIELDS);
    return (resource) => matches(resource);
  } catch (error) {
    if (error instanceof FilterError)
      throw kernelErrors.invalidInput(`The $filter is not valid: ${error.message}`, { target: "$filter" });
    throw error;
  }
}
type ResourcesQuery = { $filter?: string; $top?: number; $skipToken?: string };
async function listResources(context: Context, scope: ListScope, query: ResourcesQuery) {
  const listed = { scope, exceptType: RESOURCE_GROUP_TYPE, select: selectOf(query.$filter) };
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
  query: versionedQuery({ ...pageMembers, $filter: Type.Optional(Type.String({ maxLength: 4096 })) }),
});

export const resourceOperations: readonly Operation[] = [
  {
    ...shared("list", "/subscriptions/{subscriptionId}/resources"),
    summary: "Lists the resources of a subscription, whatever their types.",
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
    summary: "Lists the resources of a resource group, whatever their types.",
    method: "GET",
    answers: { 200: listOf(ListedResource) },
    handle: ({ params, query }, context) => listInGroup(context, params, query),
  },
];
