/** The resource type of dedicated HSMs. */
import type { Context } from "#kernel/operation";
import {
  changesTagsAlone,
  type Desired,
  groupIdOf,
  isIdOfType,
  keyOf,
  listLinked,
  type ManagedResource,
  resourceType,
} from "#kernel/resource-provider";
import {
  checkProfile,
  checkSku,
  checkSpots,
  checkStamp,
  checkUnchanged,
  checkZones,
  chooseStamp,
  connect,
  connectedSpotsOf,
  DEVICES_MAX,
  type Device,
  isSameSpot,
  STATUS_MESSAGES,
  spotsOf,
} from "../domain.ts";
import { errors } from "../errors.ts";
import { dedicatedHsm, dedicatedHsmBody, dedicatedHsmPatch, type HsmProperties } from "../wire.ts";

const SUBNET_TYPE = "Vendor.Network/virtualNetworks/subnets";

type Hsm = ManagedResource<HsmProperties>;

const deviceOf = ({ envelope = {}, properties }: Pick<Desired<HsmProperties>, "envelope" | "properties">) =>
  ({ ...envelope, ...properties }) as Device;

/** An empty list of zones means no zones. */
function withoutEmptyZones({ envelope = {}, ...wanted }: Desired<HsmProperties>): Desired<HsmProperties> {
  const { zones, ...rest } = envelope;
  return { ...wanted, envelope: Array.isArray(zones) && zones.length === 0 ? rest : envelope };
}
function prepare(given: Desired<HsmProperties>, previous: Hsm | undefined): Desired<HsmProperties> {
  const wanted = withoutEmptyZones(given);
  // A device that failed to be created may be requested again with other values.
  const existing = previous?.state === "Failed" ? undefined : previous;
  const device = deviceOf(wanted);
  checkSku(device.sku.name);
  checkZones(device.zones);
  checkStamp(device.stampId);
  for (const name of ["networkProfile", "managementNetworkProfile"] as const)
    checkProfile(device[name], `properties.${name}`, (id) => isIdOfType(id, SUBNET_TYPE));
  checkSpots(spotsOf(device, keyOf));
  if (existing) checkUnchanged(deviceOf(existing), device);
  const properties = existing ? existing.properties : wanted.properties;
  const subnet = properties.networkProfile?.subnet?.id ?? properties.managementNetworkProfile?.subnet?.id;
  return {
    ...wanted,
    envelope: { ...existing?.envelope, ...wanted.envelope },
    properties,
    link: subnet === undefined ? undefined : keyOf(subnet),
  };
}

/** Other devices in the same subnet. */
async function neighboursOf(hsm: Hsm, context: Context): Promise<Hsm[]> {
  if (hsm.link === undefined) return [];
  const linked = await listLinked<HsmProperties>(context, dedicatedHsms, hsm.link, {
    limit: DEVICES_MAX + 1,
  });
  return linked.filter(({ key }) => key !== hsm.key);
}
async function checkQuota(hsm: Hsm, context: Context): Promise<undefined> {
  if ((await neighboursOf(hsm, context)).length < DEVICES_MAX) return undefined;
  throw errors.quotaExceeded(
    `The subnet has reached its quota of ${DEVICES_MAX} dedicated HSMs; delete some, then try again.`,
  );
}
async function allocate(hsm: Hsm, context: Context) {
  const { stampId } = hsm.properties;
  if (stampId !== undefined || hsm.envelope.zones !== undefined) return undefined;
  const used = (await neighboursOf(hsm, context)).flatMap(({ properties }) => properties.stampId ?? []);
  return { properties: { ...hsm.properties, stampId: chooseStamp(used) } };
}
/** If two devices request the same address, the first one that is connected gets it. */
async function connectToSubnet(hsm: Hsm, context: Context) {
  if (hsm.properties.networkProfile === undefined && hsm.properties.managementNetworkProfile === undefined)
    return undefined;
  const wanted = spotsOf(hsm.properties, keyOf);
  for (const neighbour of await neighboursOf(hsm, context)) {
    const theirs = connectedSpotsOf(neighbour.properties, keyOf);
    const taken = wanted.find((spot) => theirs.some((their) => isSameSpot(spot, their)));
    if (taken !== undefined)
      throw errors.addressInUse(
        `The address ${taken.address} is used by '${neighbour.name}' in the same subnet.`,
        { target: "properties.networkProfile.networkInterfaces" },
      );
  }
  const group = groupIdOf(hsm.subscriptionId, hsm.resourceGroup);
  const idOf = (suffix: string) => (position: number) =>
    `${group}/providers/Vendor.Network/networkInterfaces/${hsm.name}_${suffix}${position === 0 ? "" : position + 1}`;
  const { networkProfile, managementNetworkProfile, ...properties } = hsm.properties;
  const data = connect(networkProfile, idOf("HSMnic"));
  const management = connect(managementNetworkProfile, idOf("managementNic"));
  return {
    properties: {
      ...properties,
      ...(data && { networkProfile: data }),
      ...(management && { managementNetworkProfile: management }),
    },
  };
}
export const dedicatedHsms = resourceType<HsmProperties>({
  name: "dedicatedHSMs",
  title: "dedicated HSM",
  parameter: "name",
  idWords: "dedicated-hsms",
  nameRule: {
    pattern: /^[a-zA-Z0-9-]{3,24}$/,
    says: "it has 3 to 24 letters, digits and hyphens",
    example: "hsm-1",
  },
  catalogType: "DedicatedHsm",
  descriptions: {
    get: "Interfaces have an `id` once the device is connected to its subnet. `statusMessage` explains a running or failed operation.",
    put: `Allocates a device and connects it to its subnet. A subnet may have ${DEVICES_MAX} devices. The SKU, zones, stamp and network of a device cannot change: a PUT may only repeat them, unless the creation failed. If two devices want the same address, the first that is connected gets it, and the other fails.`,
    patch: "Only tags can change, unless the creation failed; other members may be repeated.",
    delete: "Releases the addresses of the device in its subnet.",
  },
  wire: { put: dedicatedHsmBody, patch: dedicatedHsmPatch, answer: dedicatedHsm },
  lists: { bySubscription: true },
  errors: Object.values(errors),
  prepare: (wanted, about) => (changesTagsAlone(about) ? wanted : prepare(wanted, about.existing)),
  work: {
    create: {
      states: ["CheckingQuota", "Allocating", "Provisioning", "Connecting"],
      leave: (hsm, state, context) => {
        if (state === "CheckingQuota") return checkQuota(hsm, context);
        if (state === "Allocating") return allocate(hsm, context);
        return state === "Connecting" ? connectToSubnet(hsm, context) : undefined;
      },
      finish: ({ properties: { statusMessage, ...properties } }) =>
        statusMessage === undefined ? undefined : { properties },
    },
    update: { states: ["Provisioning"] },
    delete: { states: ["Deleting"] },
  },
  failed: (hsm, { message }) => ({ properties: { ...hsm.properties, statusMessage: message } }),
  present(hsm) {
    const message = STATUS_MESSAGES[hsm.state];
    return message === undefined ? hsm.properties : { ...hsm.properties, statusMessage: message };
  },
});
