/** Operations without a stored resource: name check, and private link resources. */
import { Type } from "@sinclair/typebox";
import { type Context, operationsFor } from "#kernel/operation";
import {
  apiVersionQuery,
  getResourceAt,
  isNameTaken,
  type ManagedResource,
  managementErrors,
  providerPath,
  requireSubscription,
} from "#kernel/resource-provider";
import { storeErrors } from "../errors.ts";
import type { Tables } from "../tables.ts";
import { STORE_NAME, STORE_NAME_RULE, stores } from "./stores.ts";
import { LinkAnswer, LinksAnswer, NameAnswer, NameRequest } from "./wire.ts";

export const NAMESPACE = "Vendor.AppConfiguration";
const STORE_TYPE = `${NAMESPACE}/configurationStores`;
const STORE_PATH = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/${STORE_TYPE}/{configStoreName}`;
const LINK_GROUP = "configurationStores";

const operation = operationsFor<Tables>();
const subscription = { subscriptionId: Type.String() };
const place = {
  ...subscription,
  resourceGroupName: Type.String(),
  configStoreName: Type.String({
    description: "The name of the configuration store.",
    examples: ["shop-settings"],
  }),
};
const SUBSCRIPTION_ERRORS = [managementErrors.invalidSubscription, managementErrors.subscriptionNotFound];
const LINK_ERRORS = [...SUBSCRIPTION_ERRORS, managementErrors.resourceNotFound];

const checkNameAvailability = operation({
  id: "configuration-stores.check-name-availability",
  summary: "Checks whether a name is available for a configuration store.",
  description:
    "Names are unique across all accounts. The check does not reserve the name: another account may take it first.",
  method: "POST",
  path: `${providerPath(NAMESPACE)}/checkNameAvailability`,
  permission: `${NAMESPACE}/checkNameAvailability/read`,
  params: Type.Object(subscription),
  query: apiVersionQuery(),
  body: NameRequest,
  answers: { 200: NameAnswer },
  errors: [...SUBSCRIPTION_ERRORS, storeErrors.invalidCheck],
  async handle({ params, body }, context) {
    await requireSubscription(context, params.subscriptionId);
    if (body.type.toLowerCase() !== STORE_TYPE.toLowerCase())
      throw storeErrors.invalidCheck(`Names are checked for the type ${STORE_TYPE}.`, { target: "type" });
    if (!STORE_NAME.test(body.name))
      return {
        nameAvailable: false,
        message: `The name is not valid: ${STORE_NAME_RULE}.`,
        reason: "Invalid",
      };
    if (await isNameTaken(context, stores, body.name))
      return {
        nameAvailable: false,
        message: `The specified name '${body.name}' is already in use.`,
        reason: "AlreadyExists",
      };
    return { nameAvailable: true, message: "The specified name is available." };
  },
});

const linkOf = (store: ManagedResource) => ({
  id: `${store.id}/privateLinkResources/${LINK_GROUP}`,
  name: LINK_GROUP,
  type: `${STORE_TYPE}/privateLinkResources`,
  properties: { groupId: LINK_GROUP, requiredMembers: [LINK_GROUP] },
});

const listPrivateLinks = operation({
  id: "configuration-stores.private-link-resources.list",
  summary: "Lists the private link resources of a configuration store.",
  description: "Always one: the store itself, `configurationStores`.",
  method: "GET",
  path: `${STORE_PATH}/privateLinkResources`,
  permission: `${STORE_TYPE}/privateLinkResources/read`,
  params: Type.Object(place),
  query: apiVersionQuery(),
  answers: { 200: LinksAnswer },
  errors: LINK_ERRORS,
  handle: async ({ params }, context: Context) => ({
    value: [linkOf(await getResourceAt(context, stores, params))],
  }),
});

const getPrivateLink = operation({
  id: "configuration-stores.private-link-resources.get",
  summary: "Reads a private link resource of a configuration store.",
  description: "The only name is `configurationStores`; others give 404.",
  method: "GET",
  path: `${STORE_PATH}/privateLinkResources/{groupName}`,
  permission: `${STORE_TYPE}/privateLinkResources/read`,
  params: Type.Object({
    ...place,
    groupName: Type.String({ description: "The kind of private link.", examples: ["configurationStores"] }),
  }),
  query: apiVersionQuery(),
  answers: { 200: LinkAnswer },
  errors: LINK_ERRORS,
  async handle({ params }, context: Context) {
    const store = await getResourceAt(context, stores, params);
    if (params.groupName.toLowerCase() === LINK_GROUP.toLowerCase()) return linkOf(store);
    throw managementErrors.resourceNotFound(
      `The store '${store.name}' has no private link resource '${params.groupName.slice(0, 100)}'; it has '${LINK_GROUP}'.`,
      { target: "groupName" },
    );
  },
});

export const providerOperations = [checkNameAvailability, listPrivateLinks, getPrivateLink];
