/** What there is: subscriptions, providers with their types, and resources of every type. */
import { Type } from "@sinclair/typebox";
import { compileFilter, FilterError, parseFilter } from "../odata/index.ts";
import type { Context } from "../operation/context.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Operation } from "../operation/operation.ts";
import { commonErrors, managementErrors } from "./errors.ts";
import { groupIdOf, keyOf, RESOURCE_GROUP_TYPE, RESOURCES_NAMESPACE, tenantOf } from "./identifiers.ts";
import { MANAGER_VERSION } from "./mount.ts";
import { type ListScope, nextLinkOf, pageOfResources } from "./pages.ts";
import { groupNotFound } from "./parents.ts";
import { paramsOf, requireSubscription, resourceAt } from "./place.ts";
import { findById, RESOURCE_MANAGER } from "./records.ts";
import { ancestryOf, providersOf } from "./registry.ts";
import { listSubscriptions } from "./store.ts";
import type { ManagedResource, ProviderSpec } from "./types.ts";
import { apiVersionQuery, listOf, tags } from "./wire.ts";

const SUBSCRIPTIONS_AT_ONCE = 100;

const subscriptionAnswer = Type.Object({
  id: Type.String(),
  subscriptionId: Type.String(),
  tenantId: Type.String(),
  displayName: Type.String(),
  state: Type.String(),
});
const presentSubscription = (context: Context, name: string) => ({
  id: `/subscriptions/${name}`,
  subscriptionId: name,
  tenantId: tenantOf(context.account),
  displayName: name,
  state: "Enabled",
});
async function pageOfSubscriptions(context: Context, token: string | undefined) {
  const { rows, nextToken } = await context.pages.of(
    { size: SUBSCRIPTIONS_AT_ONCE, token, filter: {} },
    (name: string) => [name],
    (after, limit) => listSubscriptions(context.db, context.account, after?.[0] ?? "", limit),
  );
  const value = rows.map((name) => presentSubscription(context, name));
  return nextToken === undefined ? { value } : { value, nextLink: nextLinkOf(context, nextToken) };
}

const providerAnswer = Type.Object({
  id: Type.Optional(Type.String()),
  namespace: Type.String(),
  registrationState: Type.String(),
  resourceTypes: Type.Array(
    Type.Object({
      resourceType: Type.String(),
      locations: Type.Array(Type.String()),
      apiVersions: Type.Array(Type.String()),
    }),
  ),
});
const presentProvider = ({ namespace, types, apiVersions }: ProviderSpec, subscriptionId?: string) => ({
  ...(subscriptionId !== undefined && { id: `/subscriptions/${subscriptionId}/providers/${namespace}` }),
  namespace,
  registrationState: "Registered",
  resourceTypes: types.map((type) => ({
    resourceType: ancestryOf(type)
      .map(({ name }) => name)
      .join("/"),
    locations: [],
    apiVersions: [...apiVersions],
  })),
});
function getProvider(context: Context, namespace: string): ProviderSpec {
  const wanted = keyOf(namespace);
  const found = providersOf(context).find((provider) => provider.namespace.toLowerCase() === wanted);
  if (found) return found;
  throw managementErrors.invalidNamespace(`The resource namespace '${namespace.slice(0, 100)}' is invalid.`);
}

const resourceAnswer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  location: Type.Optional(Type.String()),
  tags: Type.Optional(tags),
});
const presentListed = (resource: ManagedResource) => ({
  id: resource.id,
  name: resource.name,
  type: resource.type,
  ...(resource.location !== undefined && { location: resource.location, tags: resource.tags }),
  ...resource.envelope,
});
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

const pageMembers = {
  $top: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  $skipToken: Type.Optional(Type.String({ maxLength: 2048 })),
};
const resourcesQuery = apiVersionQuery(
  {
    ...pageMembers,
    $filter: Type.Optional(Type.String({ maxLength: 4096 })),
  },
  MANAGER_VERSION,
);
const shared = (id: string, path: string, permission: string) => ({
  id: `${RESOURCE_MANAGER}.${id}`,
  path,
  params: paramsOf(path),
  query: apiVersionQuery(pageMembers, MANAGER_VERSION),
  permission: `${RESOURCES_NAMESPACE}/${permission}`,
  errors: [...commonErrors, managementErrors.groupNotFound, managementErrors.invalidNamespace],
  resource: resourceAt(path),
});

const subscriptionOperations: readonly Operation[] = [
  {
    ...shared("subscriptions.list", "/subscriptions", "subscriptions/read"),
    summary: "Lists the account's subscriptions: those it has used.",
    method: "GET",
    answers: { 200: listOf(subscriptionAnswer) },
    handle: ({ query }, context) => pageOfSubscriptions(context, query.$skipToken),
  },
  {
    ...shared("subscriptions.get", "/subscriptions/{subscriptionId}", "subscriptions/read"),
    summary: "Reads a subscription.",
    method: "GET",
    answers: { 200: subscriptionAnswer },
    async handle({ params }, context) {
      await requireSubscription(context, params.subscriptionId);
      return presentSubscription(context, params.subscriptionId);
    },
  },
];
const providerOperations: readonly Operation[] = [
  {
    ...shared("providers.list", "/providers", "providers/read"),
    summary: "Lists the resource providers.",
    method: "GET",
    answers: { 200: listOf(providerAnswer) },
    handle: (_input, context) => ({
      value: providersOf(context).map((provider) => presentProvider(provider)),
    }),
  },
  {
    ...shared(
      "providers.list-by-subscription",
      "/subscriptions/{subscriptionId}/providers",
      "providers/read",
    ),
    summary: "Lists the resource providers of a subscription.",
    method: "GET",
    answers: { 200: listOf(providerAnswer) },
    async handle({ params: { subscriptionId } }, context) {
      await requireSubscription(context, subscriptionId);
      return { value: providersOf(context).map((provider) => presentProvider(provider, subscriptionId)) };
    },
  },
  {
    ...shared("providers.get", "/subscriptions/{subscriptionId}/providers/{namespace}", "providers/read"),
    summary: "Reads a resource provider with its types and versions.",
    method: "GET",
    answers: { 200: providerAnswer },
    async handle({ params: { subscriptionId, namespace } }, context) {
      await requireSubscription(context, subscriptionId);
      return presentProvider(getProvider(context, namespace), subscriptionId);
    },
  },
  {
    ...shared(
      "providers.register",
      "/subscriptions/{subscriptionId}/providers/{namespace}/register",
      "providers/register/action",
    ),
    summary: "Registers a subscription with a resource provider: every one is registered already.",
    method: "POST",
    answers: { 200: providerAnswer },
    async handle({ params: { subscriptionId, namespace } }, context) {
      await requireSubscription(context, subscriptionId);
      return presentProvider(getProvider(context, namespace), subscriptionId);
    },
  },
];

export const inventoryOperations: readonly Operation[] = [
  ...subscriptionOperations,
  ...providerOperations,
  {
    ...shared("resources.list", "/subscriptions/{subscriptionId}/resources", "resources/read"),
    summary: "Lists the resources of a subscription, whatever their types.",
    method: "GET",
    query: resourcesQuery,
    answers: { 200: listOf(resourceAnswer) },
    async handle({ params: { subscriptionId }, query }, context) {
      await requireSubscription(context, subscriptionId);
      return listResources(context, { subscriptionId }, query);
    },
  },
  {
    ...shared(
      "resources.list-in-group",
      "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/resources",
      "resources/read",
    ),
    summary: "Lists the resources of a resource group, whatever their types.",
    method: "GET",
    query: resourcesQuery,
    answers: { 200: listOf(resourceAnswer) },
    handle: ({ params, query }, context) => listInGroup(context, params, query),
  },
];
