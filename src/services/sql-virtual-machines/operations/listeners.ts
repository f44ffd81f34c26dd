/** The resource type of availability group listeners. */
import type { Context } from "#kernel/operation";
import {
  type Desired,
  findById,
  isGoingAway,
  isIdOfType,
  keyOf,
  type Preparation,
  parseResourceId,
  resourceType,
} from "#kernel/resource-provider";
import {
  checkListener,
  checkListenerChange,
  type Identifiers,
  listenerNameProblem,
  machinesOf,
} from "../domain/listeners.ts";
import { listenerErrors as errors, groupErrors } from "../errors.ts";
import { type ListenerProperties, listenerWire } from "../wire.ts";
import { groups } from "./groups.ts";
import { groupBusy, listListeners, MACHINE_TYPE } from "./membership.ts";

const TYPES = {
  subnet: "Vendor.Network/virtualNetworks/subnets",
  publicIpAddress: "Vendor.Network/publicIPAddresses",
  loadBalancer: "Vendor.Network/loadBalancers",
  machine: MACHINE_TYPE,
} as const;

const identifiers: Identifiers = {
  isIdOfType: (id, type) => isIdOfType(id, TYPES[type]),
  subscriptionOf: (id) => parseResourceId(id)?.subscriptionId,
  networkOf: (id) => keyOf(id).replace(/\/subnets\/[^/]+$/, ""),
  keyOf,
};

async function checkMembership(
  context: Context,
  properties: ListenerProperties,
  groupKey: string,
): Promise<void> {
  for (const key of machinesOf(properties, keyOf)) {
    const machine = await findById(context, key);
    if (machine?.link === groupKey && !isGoingAway(context, machine)) continue;
    throw errors.machineNotInGroup(
      `'${key.slice(key.lastIndexOf("/") + 1)}' is not a machine of the group.`,
      {
        target: "properties.loadBalancerConfigurations",
      },
    );
  }
}
async function checkOnlyListener(
  context: Context,
  name: string,
  groupKey: string,
  ownKey: string,
): Promise<void> {
  for (const { key, name: other, properties } of await listListeners(context, groupKey)) {
    if (key === ownKey || properties.availabilityGroupName?.toLowerCase() !== name.toLowerCase()) continue;
    throw errors.sameAvailabilityGroup(
      `The availability group '${name}' has a listener already: '${other}'.`,
      {
        target: "properties.availabilityGroupName",
      },
    );
  }
}
async function prepare(
  wanted: Desired<ListenerProperties>,
  { existing, parent: group, place }: Preparation<ListenerProperties>,
  context: Context,
): Promise<Desired<ListenerProperties>> {
  const { parentKey: groupKey, key, subscriptionId, names } = place;
  if (group?.operation !== undefined) throw groupBusy(group.name);
  if (existing) checkListenerChange(existing.properties, wanted.properties);
  const properties: ListenerProperties = {
    ...wanted.properties,
    ...(existing?.properties.availabilityGroupName !== undefined && {
      availabilityGroupName: existing.properties.availabilityGroupName,
    }),
  };
  checkListener(properties, identifiers, subscriptionId);
  // By default, an availability group has the name of its listener.
  properties.availabilityGroupName ??= names.at(-1) ?? "";
  await checkOnlyListener(context, properties.availabilityGroupName, groupKey, key);
  await checkMembership(context, properties, groupKey);
  return { ...wanted, properties };
}

export const listeners = resourceType<ListenerProperties>({
  name: "availabilityGroupListeners",
  title: "availability group listener",
  parent: groups,
  parameter: "availabilityGroupListenerName",
  idWords: "listeners",
  nameRule: {
    pattern: /^[a-zA-Z0-9-]{1,15}$/,
    says: "it has 1 to 15 letters, digits and hyphens",
    example: "listener-1",
    problem: listenerNameProblem,
  },
  catalogType: "AvailabilityGroupListener",
  descriptions: {
    put: "Every machine in `loadBalancerConfigurations` must be in the group. An availability group has one listener, and its name cannot change. Refused while an operation on the group is running.",
    delete: "The machines stay in the group, and can leave it afterwards.",
  },
  wire: listenerWire,
  errors: [...Object.values(errors), groupErrors.groupNotFound],
  missingParent: ({ names: [name], resourceGroup }) =>
    groupErrors.groupNotFound(
      `The subscription has no SQL virtual machine group '${name}' in resource group '${resourceGroup}'.`,
    ),
  prepare,
  work: {
    create: { states: ["Creating"] },
    update: { states: ["Updating"] },
    delete: { states: ["Deleting"] },
  },
});
