/** Places and bodies for tests of dedicated HSMs. */
export const VERSION = "api-version=2018-10-31-preview";
export const AREA = "providers/Vendor.HardwareSecurityModules";
export const hsmServices = ["hardware-security-modules", "resource-manager"];
export const SKU = "SafeNet Luna Network HSM A790";

let counter = 0;
/** Every test has a subscription of its own. */
export function newPlace(group = "keys-rg") {
  counter += 1;
  const subscription = `/subscriptions/hsm-test-${counter}`;
  const inGroup = `${subscription}/resourceGroups/${group}/${AREA}/dedicatedHSMs`;
  const subnetOf = (name: string) =>
    `${subscription}/resourceGroups/net/providers/Vendor.Network/virtualNetworks/v/subnets/${name}`;
  return {
    subscription,
    all: `/management${subscription}/${AREA}/dedicatedHSMs?${VERSION}`,
    inGroup: `/management${inGroup}?${VERSION}`,
    at: (name: string) => `/management${inGroup}/${name}?${VERSION}`,
    subnet: subnetOf("s"),
    profile: (address: string, subnet = "s") => ({
      subnet: { id: subnetOf(subnet) },
      networkInterfaces: [{ privateIpAddress: address }],
    }),
  };
}
export const bodyOf = (properties: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  location: "westus",
  sku: { name: SKU },
  properties,
  ...more,
});
export const codeOf = (answer: { body: { error?: { code?: string } } }) => answer.body.error?.code;
