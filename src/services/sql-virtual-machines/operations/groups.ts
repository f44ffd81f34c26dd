/** The resource type of SQL virtual machine groups. */
import type { Context } from "#kernel/operation";
import {
  changesTagsAlone,
  type Desired,
  hasSecret,
  type ManagedResource,
  openSecret,
  resourceType,
} from "#kernel/resource-provider";
import { checkGroup, checkGroupChange, groupNameProblem, unchangeable } from "../domain/groups.ts";
import { groupErrors as errors } from "../errors.ts";
import { type GroupProperties, groupWire } from "../wire.ts";
import { hasMachines, MACHINE_TYPE, releaseMachines } from "./membership.ts";

const STORAGE_KEY = "wsfcDomainProfile.storageAccountPrimaryKey";
type Group = ManagedResource<GroupProperties>;

async function prepare(
  { properties: given, ...wanted }: Desired<GroupProperties>,
  existing: Group | undefined,
  context: Context,
): Promise<Desired<GroupProperties>> {
  const { storageAccountPrimaryKey: key, ...profile } = {
    ...existing?.properties.wsfcDomainProfile,
    ...given.wsfcDomainProfile,
  };
  if (existing) {
    checkGroupChange(existing.properties, given, await hasMachines(context, existing.key));
    if (key !== undefined && openSecret(context, existing, STORAGE_KEY) !== key) throw unchangeable();
  }
  const merged: GroupProperties = {
    ...existing?.properties,
    ...given,
    ...(Object.keys(profile).length > 0 && { wsfcDomainProfile: profile }),
  };
  const withKey = { ...profile, ...(key !== undefined && { storageAccountPrimaryKey: key }) };
  const whole: GroupProperties = { ...merged, wsfcDomainProfile: withKey };
  checkGroup(whole, hasSecret(existing, STORAGE_KEY));
  return { ...wanted, properties: existing || key === undefined ? merged : whole };
}

export const groups = resourceType<GroupProperties>({
  name: "sqlVirtualMachineGroups",
  title: "SQL virtual machine group",
  parameter: "sqlVirtualMachineGroupName",
  idWords: "groups",
  nameRule: {
    pattern: /^[a-zA-Z0-9-]{1,15}$/,
    says: "it has 1 to 15 letters, digits and hyphens",
    example: "cluster-1",
    problem: groupNameProblem,
  },
  catalogType: "SqlVirtualMachineGroup",
  descriptions: {
    get: "Secrets such as the storage key are never returned.",
    put: "Image, domain and witness cannot change afterwards; the accounts can change only while the group has no machines. Machines join by `sqlVirtualMachineGroupResourceId` of their own PUT.",
    patch: "A patch with anything but tags follows the rules of PUT.",
    delete: "Refused while machines are in the group.",
  },
  wire: groupWire,
  lists: { bySubscription: true },
  linkedLists: [
    {
      name: "sqlVirtualMachines",
      summary: "Lists the SQL virtual machines of a group.",
      description:
        "Includes machines of other resource groups. Pages have 100 machines unless `$top` says otherwise.",
      of: () => MACHINE_TYPE,
      missing: ({ names: [name], resourceGroup }) =>
        errors.groupNotFound(
          `The subscription has no SQL virtual machine group '${name}' in resource group '${resourceGroup}'.`,
        ),
    },
  ],
  errors: Object.values(errors),
  prepare: (wanted, about, context) =>
    changesTagsAlone(about) ? wanted : prepare(wanted, about.existing, context),
  async mayDelete(group, context) {
    if (await hasMachines(context, group.key))
      throw errors.notEmpty(`The group '${group.name}' still has machines; take them out of it first.`);
  },
  removed: ({ key }, context) => releaseMachines(context, key),
  present: ({ properties }) => ({
    ...properties,
    scaleType: "HA",
    clusterManagerType: "WSFC",
    clusterConfiguration: "Domainful",
  }),
  work: {
    create: { states: ["Creating"] },
    update: { states: ["Updating"] },
    delete: { states: ["Deleting"] },
  },
});
