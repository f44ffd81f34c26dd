/** Dedicated HSMs: validation of requests and changes, allocation and connection of devices. */
import { isIP } from "node:net";
import { errors } from "./errors.ts";

export const SKUS = [
  "SafeNet Luna Network HSM A790",
  "payShield10K_LMK1_CPS60",
  "payShield10K_LMK1_CPS250",
  "payShield10K_LMK1_CPS2500",
  "payShield10K_LMK2_CPS60",
  "payShield10K_LMK2_CPS250",
  "payShield10K_LMK2_CPS2500",
] as const;
const ZONES = ["1", "2", "3"] as const;
const STAMPS = ["stamp1", "stamp2"] as const;
/** Limit of devices in one subnet. */
export const DEVICES_MAX = 100;

const STAMP = /^stamp\d{1,2}$/i;

type Profile = {
  readonly subnet?: { readonly id?: string };
  readonly networkInterfaces?: readonly { readonly id?: string; readonly privateIpAddress?: string }[];
};
export type Device = {
  readonly sku: { readonly name: string };
  readonly zones?: readonly string[];
  readonly stampId?: string;
  readonly networkProfile?: Profile;
  readonly managementNetworkProfile?: Profile;
};

export function checkSku(name: string): void {
  if (SKUS.some((sku) => sku === name)) return;
  throw errors.invalidSku(`There is no SKU '${name}'. There are: ${SKUS.join(", ")}.`, {
    target: "sku.name",
  });
}
export function checkZones(zones: readonly string[] | undefined): void {
  if (zones === undefined) return;
  const known = zones.every((zone) => ZONES.some((one) => one === zone));
  if (known && new Set(zones).size === zones.length) return;
  throw errors.invalidZones(`Zones are ${ZONES.join(", ")}, each at most once.`, { target: "zones" });
}
export function checkStamp(stampId: string | undefined): void {
  if (stampId === undefined || STAMP.test(stampId)) return;
  throw errors.invalidStamp("A stamp is named 'stamp' and a number, such as stamp1.", {
    target: "properties.stampId",
  });
}
export function checkProfile(
  profile: Profile | undefined,
  target: string,
  isSubnetId: (id: string) => boolean,
): void {
  if (!profile) return;
  const subnet = profile.subnet?.id;
  if (subnet !== undefined && !isSubnetId(subnet))
    throw errors.invalidSubnet(`'${subnet.slice(0, 200)}' is not the identifier of a subnet.`, {
      target: `${target}.subnet.id`,
    });
  const addresses = addressesOf(profile);
  for (const address of addresses) {
    if (isIP(address) !== 4)
      throw errors.invalidAddress(`'${address}' is not an IPv4 address.`, {
        target: `${target}.networkInterfaces`,
      });
  }
  if (addresses.length > 0 && subnet === undefined)
    throw errors.invalidSubnet("A private address needs the subnet that it lies in.", {
      target: `${target}.subnet`,
    });
  if (new Set(addresses).size < addresses.length)
    throw errors.invalidAddress("Each interface needs an address of its own.", {
      target: `${target}.networkInterfaces`,
    });
}
const addressesOf = (profile: Profile | undefined): string[] =>
  (profile?.networkInterfaces ?? []).flatMap(({ privateIpAddress }) => privateIpAddress ?? []);

type Profiles = Pick<Device, "networkProfile" | "managementNetworkProfile">;
export type Spot = { readonly subnet: string; readonly address: string };
const profilesOf = ({ networkProfile, managementNetworkProfile }: Profiles): Profile[] =>
  [networkProfile, managementNetworkProfile].flatMap((profile) => profile ?? []);

/** Requested addresses of a device. A subnet is identified by its key. */
export const spotsOf = (device: Profiles, keyOf: (id: string) => string): Spot[] =>
  profilesOf(device).flatMap((profile) =>
    addressesOf(profile).map((address) => ({ subnet: keyOf(profile.subnet?.id ?? ""), address })),
  );
/** Addresses in use by a device, even during an operation. A connected interface has an ID. */
export const connectedSpotsOf = (device: Profiles, keyOf: (id: string) => string): Spot[] =>
  profilesOf(device).flatMap((profile) => {
    const networkInterfaces = (profile.networkInterfaces ?? []).filter(({ id }) => id !== undefined);
    return spotsOf({ networkProfile: { ...profile, networkInterfaces } }, keyOf);
  });
export const isSameSpot = (one: Spot, other: Spot): boolean =>
  one.subnet === other.subnet && one.address === other.address;

export function checkSpots(spots: readonly Spot[]): void {
  const isTwice = (spot: Spot, position: number) =>
    spots.slice(position + 1).some((later) => isSameSpot(spot, later));
  if (!spots.some(isTwice)) return;
  throw errors.invalidAddress("Each interface needs an address of its own.", {
    target: "properties.managementNetworkProfile.networkInterfaces",
  });
}

const bareProfile = (profile: Profile | undefined) => ({
  subnet: profile?.subnet?.id?.toLowerCase(),
  addresses: addressesOf(profile),
});
/** A device cannot change. A PUT may repeat or omit its values. */
export function checkUnchanged(before: Device, wanted: Device): void {
  const pairs: [name: string, before: unknown, wanted: unknown][] = [
    ["sku", before.sku.name, wanted.sku.name],
    ["zones", before.zones ?? [], wanted.zones ?? before.zones ?? []],
    ["properties.stampId", before.stampId?.toLowerCase(), (wanted.stampId ?? before.stampId)?.toLowerCase()],
    [
      "properties.networkProfile",
      bareProfile(before.networkProfile),
      bareProfile(wanted.networkProfile ?? before.networkProfile),
    ],
    [
      "properties.managementNetworkProfile",
      bareProfile(before.managementNetworkProfile),
      bareProfile(wanted.managementNetworkProfile ?? before.managementNetworkProfile),
    ],
  ];
  for (const [target, was, will] of pairs) {
    if (JSON.stringify(was) !== JSON.stringify(will))
      throw errors.propertyChangeNotAllowed(`Changing '${target}' of a dedicated HSM is not allowed.`, {
        target,
      });
  }
}

/** The stamp with the fewest devices. Ties go to the first. */
export function chooseStamp(used: readonly string[]): string {
  const load = (stamp: string) => used.filter((one) => one.toLowerCase() === stamp).length;
  return [...STAMPS].sort((a, b) => load(a) - load(b))[0] ?? STAMPS[0];
}

/**
 * Assigns an ID to each interface when the device is connected. If none was requested, one interface is
 * added.
 */
export function connect<P extends Profile>(
  profile: P | undefined,
  interfaceId: (position: number) => string,
): P | undefined {
  if (!profile?.subnet?.id) return profile;
  const asked = profile.networkInterfaces?.length ? profile.networkInterfaces : [{}];
  return {
    ...profile,
    networkInterfaces: asked.map((one, position) => ({ ...one, id: interfaceId(position) })),
  };
}

export const STATUS_MESSAGES: Readonly<Record<string, string>> = {
  CheckingQuota: "The subscription's quota is being checked.",
  Allocating: "A device is being allocated.",
  Provisioning: "The device is being provisioned.",
  Connecting: "The device is being connected to its subnet.",
  Deleting: "The device is being released.",
};
