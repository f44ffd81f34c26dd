/** Rules of dedicated HSMs: profiles, addresses, and the choice of a stamp. */
import { describe, expect, it } from "vitest";
import { checkProfile, checkSpots, chooseStamp, connectedSpotsOf, spotsOf } from "./domain.ts";

const isSubnetId = (id: string) => id.startsWith("/subnets/");
const check = (profile: Parameters<typeof checkProfile>[0]) => () =>
  checkProfile(profile, "networkProfile", isSubnetId);
const interfaces = (...addresses: string[]) => addresses.map((privateIpAddress) => ({ privateIpAddress }));

describe("a profile", () => {
  it.each([
    ["no profile", undefined],
    ["neither subnet nor address", {}],
    ["a subnet alone", { subnet: { id: "/subnets/a" } }],
    [
      "addresses in a subnet",
      { subnet: { id: "/subnets/a" }, networkInterfaces: interfaces("10.0.0.4", "10.0.0.5") },
    ],
  ])("may have %s", (_what, profile) => expect(check(profile)).not.toThrow());
  it.each([
    ["another resource", { subnet: { id: "/disks/a" } }, "is not the identifier of a subnet"],
    ["an address without a subnet", { networkInterfaces: interfaces("10.0.0.4") }, "needs the subnet"],
    [
      "an IPv6 address",
      { subnet: { id: "/subnets/a" }, networkInterfaces: interfaces("::1") },
      "not an IPv4 address",
    ],
    [
      "an address twice",
      { subnet: { id: "/subnets/a" }, networkInterfaces: interfaces("10.0.0.4", "10.0.0.4") },
      "of its own",
    ],
  ])("may not have %s", (_what, profile, message) => expect(check(profile)).toThrow(message));
});

describe("addresses of a device", () => {
  const device = {
    networkProfile: { subnet: { id: "A" }, networkInterfaces: [{ id: "nic", privateIpAddress: "10.0.0.4" }] },
    managementNetworkProfile: { subnet: { id: "B" }, networkInterfaces: interfaces("10.0.1.4") },
  };
  const keyOf = (id: string) => id.toLowerCase();
  const [first, second] = [
    { subnet: "a", address: "10.0.0.4" },
    { subnet: "b", address: "10.0.1.4" },
  ];

  it("are those of both profiles, or of the one that is there", () => {
    expect(spotsOf(device, keyOf)).toEqual([first, second]);
    expect(spotsOf({ managementNetworkProfile: device.managementNetworkProfile }, keyOf)).toEqual([second]);
    expect(connectedSpotsOf(device, keyOf)).toEqual([first]);
  });
  it("differ from each other", () => {
    expect(() => checkSpots([first, second, { ...first, subnet: "b" }])).not.toThrow();
    expect(() => checkSpots([first, second, { ...first }])).toThrow("of its own");
  });
});

it.each([
  [[], "stamp1"],
  [["stamp1"], "stamp2"],
  [["STAMP2", "stamp2", "stamp1"], "stamp1"],
  [["stamp1", "stamp2"], "stamp1"],
])("beside devices on %j, the next one goes to %s", (used, stamp) => expect(chooseStamp(used)).toBe(stamp));
