/** The resource type of SQL virtual machines. */
import { Type } from "@sinclair/typebox";
import type { Context } from "#kernel/operation";
import {
  changesTagsAlone,
  type Desired,
  findById,
  groupIdOf,
  hasSecret,
  isGoingAway,
  isIdOfType,
  keyOf,
  locationKeyOf,
  type ManagedResource,
  type Place,
  type Properties,
  parseResourceId,
  resourceType,
  tenantOf,
} from "#kernel/resource-provider";
import { checkCredentials, checkFit, checkMachine, checkMachineChange } from "../domain/machines.ts";
import { checkBackup, checkKeyVault, checkPatching, checkServerConfiguration } from "../domain/settings.ts";
import { checkStorage } from "../domain/storage.ts";
import { commonErrors, machineErrors as errors, groupErrors } from "../errors.ts";
import { type GroupProperties, type MachineProperties, machineWire } from "../wire.ts";
import { findListenerOf, GROUP_TYPE, groupBusy } from "./membership.ts";

type Machine = ManagedResource<MachineProperties>;

const COMPUTE_TYPE = "Vendor.Compute/virtualMachines";
const at = (member: string) => ({ target: `properties.${member}` });

/** A SQL virtual machine belongs to the virtual machine with the same name and resource group. */
function machineIdOf(given: string | undefined, place: Place): string {
  const [name = ""] = place.names;
  if (given === undefined)
    return `${groupIdOf(place.subscriptionId, place.resourceGroup)}/providers/${COMPUTE_TYPE}/${name}`;
  const id = parseResourceId(given);
  const target = at("virtualMachineResourceId");
  if (!id || !isIdOfType(given, COMPUTE_TYPE))
    throw errors.invalidMachineId("This is not the identifier of a virtual machine.", target);
  const same = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase();
  if (!same(id.subscriptionId, place.subscriptionId))
    throw errors.subscriptionMismatch("The virtual machine is in another subscription.", target);
  if (!same(id.resourceGroup, place.resourceGroup))
    throw errors.groupNameMismatch("The virtual machine is in another resource group.", target);
  if (!same(id.names[0], name))
    throw errors.nameMismatch("The virtual machine has another name than the SQL virtual machine.", target);
  return given;
}

function checkSettings(properties: MachineProperties, existing: Machine | undefined): void {
  const {
    autoPatchingSettings: patching,
    autoBackupSettings: backup,
    keyVaultCredentialSettings: keyVault,
    serverConfigurationsManagementSettings: server,
    storageConfigurationSettings: storage,
  } = properties;
  if (patching) checkPatching(patching);
  if (backup)
    checkBackup(backup, {
      storageAccessKey: hasSecret(existing, "autoBackupSettings.storageAccessKey"),
      password: hasSecret(existing, "autoBackupSettings.password"),
    });
  if (keyVault)
    checkKeyVault(keyVault, hasSecret(existing, "keyVaultCredentialSettings.servicePrincipalSecret"));
  if (server) checkServerConfiguration(server);
  if (storage) checkStorage(storage);
  if (storage && server?.sqlStorageUpdateSettings)
    throw errors.bothStorageSettings(
      "Give either storageConfigurationSettings or sqlStorageUpdateSettings, not both.",
      at("storageConfigurationSettings"),
    );
}

async function getGroup(
  context: Context,
  id: string,
  place: Place,
  location: string,
): Promise<ManagedResource<GroupProperties>> {
  const target = at("sqlVirtualMachineGroupResourceId");
  const parsed = parseResourceId(id);
  if (!parsed || !isIdOfType(id, GROUP_TYPE))
    throw errors.invalidGroupId("This is not the identifier of a SQL virtual machine group.", target);
  if (parsed.subscriptionId.toLowerCase() !== place.subscriptionId.toLowerCase())
    throw errors.groupOfOtherSubscription("The group is in another subscription.", target);
  const group = await findById<GroupProperties>(context, id);
  if (!group || isGoingAway(context, group))
    throw groupErrors.groupNotFound(
      `The subscription has no SQL virtual machine group '${parsed.names[0]}' in resource group '${parsed.resourceGroup}'.`,
      target,
    );
  if (group.operation !== undefined) throw groupBusy(group.name);
  if (locationKeyOf(group.location ?? "") !== locationKeyOf(location))
    throw errors.groupInOtherLocation(`The group '${group.name}' is in ${group.location}.`, target);
  return group;
}
/** A machine behind a listener cannot leave its group. */
async function checkLeaving(context: Context, machine: Machine): Promise<void> {
  if (machine.link === undefined) return;
  const listener = await findListenerOf(context, machine.link, machine.key);
  if (listener === undefined) return;
  throw errors.cannotLeaveGroup(`The listener '${listener}' counts on '${machine.name}'; change it first.`);
}

/**
 * Validates membership: at most one group, with matching image and credentials. A machine must leave a group
 * before it joins another.
 */
async function settleMembership(
  context: Context,
  properties: MachineProperties,
  { existing, place, location }: { existing: Machine | undefined; place: Place; location: string },
): Promise<{ properties: MachineProperties; link: string | undefined }> {
  const groupId = properties.sqlVirtualMachineGroupResourceId;
  if (groupId === undefined || groupId === "") {
    if (existing) await checkLeaving(context, existing);
    const { sqlVirtualMachineGroupResourceId: _none, ...rest } = properties;
    return { properties: rest, link: undefined };
  }
  const link = keyOf(groupId);
  if (existing?.link !== undefined && existing.link !== link)
    throw errors.alreadyInGroup(
      "The machine is in another group; take it out of that one first.",
      at("sqlVirtualMachineGroupResourceId"),
    );
  const group = await getGroup(context, groupId, place, location);
  const { sqlImageOffer, sqlImageSku } = group.properties;
  const joining: MachineProperties = {
    ...(sqlImageOffer !== undefined && { sqlImageOffer }),
    ...(sqlImageSku !== undefined && { sqlImageSku }),
    ...properties,
  };
  checkFit(joining, { name: group.name, ...group.properties });
  if (existing?.link === undefined)
    checkCredentials(group.properties.wsfcDomainProfile ?? {}, properties.wsfcDomainCredentials ?? {});
  return { properties: joining, link };
}

/** Omitted image and management members keep their values. */
function withKnownBasics(given: MachineProperties, existing: Machine | undefined): MachineProperties {
  const { sqlImageOffer, sqlImageSku, sqlServerLicenseType, sqlManagement } = existing?.properties ?? {};
  return {
    ...(sqlImageOffer !== undefined && { sqlImageOffer }),
    ...(sqlImageSku !== undefined && { sqlImageSku }),
    ...(sqlServerLicenseType !== undefined && { sqlServerLicenseType }),
    sqlManagement: sqlManagement ?? "Full",
    ...given,
  };
}

async function prepare(
  wanted: Desired<MachineProperties>,
  { existing, place }: { existing: Machine | undefined; place: Place },
  context: Context,
): Promise<Desired<MachineProperties>> {
  const given = withKnownBasics(wanted.properties, existing);
  const machineId = machineIdOf(
    given.virtualMachineResourceId ?? existing?.properties.virtualMachineResourceId,
    place,
  );
  checkMachine(given);
  if (existing) checkMachineChange(existing.properties, given);
  checkSettings(given, existing);
  const about = { existing, place, location: existing?.location ?? wanted.location ?? "" };
  const settled = await settleMembership(context, given, about);
  const { identity: _asked, ...envelope } = wanted.envelope ?? {};
  const { wsfcDomainCredentials: credentials = {}, ...shown } = settled.properties;
  return {
    ...wanted,
    envelope: { ...envelope, ...identityOf(context, wanted, existing) },
    properties: {
      ...shown,
      ...(Object.keys(credentials).length > 0 && { wsfcDomainCredentials: credentials }),
      virtualMachineResourceId: machineId,
    },
    link: settled.link,
  };
}
/** An identity stays after it was created. */
function identityOf(
  context: Context,
  wanted: Desired<MachineProperties>,
  existing: Machine | undefined,
): Properties {
  const known = existing?.envelope.identity as { type?: string } | undefined;
  if (known?.type !== undefined) return { identity: known };
  const asked = wanted.envelope?.identity as { type?: string } | undefined;
  if (asked?.type === undefined) return {};
  const tenantId = tenantOf(context.account);
  return { identity: { type: asked.type, principalId: context.ids.uuid(), tenantId } };
}

const EXPANDABLE = [
  "autoPatchingSettings",
  "autoBackupSettings",
  "keyVaultCredentialSettings",
  "serverConfigurationsManagementSettings",
  "storageConfigurationSettings",
] as const;
/** Settings are included only if `$expand` names them. */
function present({ properties }: Machine, query: Properties): Properties {
  const expand = query.$expand as string | undefined;
  const words = (expand ?? "")
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "");
  const unknown = words.find(
    (word) => word !== "*" && !EXPANDABLE.some((name) => name.toLowerCase() === word),
  );
  if (unknown !== undefined)
    throw commonErrors.invalidParameterValue(
      `'${unknown.slice(0, 100)}' cannot be expanded. There are *, ${EXPANDABLE.join(", ")}.`,
      { target: "$expand" },
    );
  if (words.includes("*")) return properties;
  const hidden = new Set<string>(EXPANDABLE.filter((name) => !words.includes(name.toLowerCase())));
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !hidden.has(name)));
}

export const machines = resourceType<MachineProperties>({
  name: "sqlVirtualMachines",
  title: "SQL virtual machine",
  parameter: "sqlVirtualMachineName",
  idWords: "machines",
  nameRule: {
    pattern: /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,63}$/,
    says: "it has 1 to 64 letters, digits, underscores, dots and hyphens, and begins with neither dot nor hyphen",
    example: "machine-1",
  },
  catalogType: "SqlVirtualMachine",
  descriptions: {
    get: "Settings such as `autoBackupSettings` are returned only if `$expand` names them.",
    put: "Name, resource group and subscription must be those of the virtual machine. A machine is in one group at most and must leave it before it joins another; image and domain credentials must fit the group. A machine that a listener uses cannot leave. Passwords and keys are stored encrypted and never returned.",
    patch: "A patch with anything but tags follows the rules of PUT.",
    delete: "Refused while a listener uses the machine. The virtual machine itself is not affected.",
  },
  wire: machineWire,
  getQuery: Type.Object({
    $expand: Type.Optional(
      Type.String({ maxLength: 1024, description: "Further settings to show.", examples: ["*"] }),
    ),
  }),
  lists: { bySubscription: true },
  errors: [...Object.values(errors), groupErrors.groupNotFound],
  prepare: (wanted, about, context) => (changesTagsAlone(about) ? wanted : prepare(wanted, about, context)),
  mayDelete: (machine, context) => checkLeaving(context, machine),
  // Responses to changes include all settings.
  present: (machine, { request }, query) =>
    request.method === "GET" ? present(machine, query) : machine.properties,
  work: {
    create: { states: ["Creating"] },
    update: { states: ["Updating"] },
    delete: { states: ["Deleting"] },
  },
});
