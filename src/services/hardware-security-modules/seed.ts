/** Demo data: two modules in one subnet, ready to be looked at. */
import type { Context } from "#kernel/operation";
import { makeResource } from "#kernel/resource-provider";
import { dedicatedHsms } from "./operations/dedicated-hsms.ts";

const SUBSCRIPTION = "7c4d2f3e-1b5a-4a57-9e0c-3d1f6a2b8c90";
const SUBNET = `/subscriptions/${SUBSCRIPTION}/resourceGroups/keys-rg/providers/Vendor.Network/virtualNetworks/keys-vnet/subnets/hsm`;

export async function seed(context: Context): Promise<void> {
  const devices = [
    { name: "signing-hsm-1", address: "10.2.1.10", role: "code-signing" },
    { name: "signing-hsm-2", address: "10.2.1.11", role: "code-signing-standby" },
  ];
  for (const { name, address, role } of devices) {
    const at = { subscriptionId: SUBSCRIPTION, resourceGroup: "keys-rg", names: [name] };
    await makeResource(context, dedicatedHsms, at, {
      location: "westeurope",
      sku: { name: "SafeNet Luna Network HSM A790" },
      tags: { role, environment: "demo" },
      properties: {
        networkProfile: { subnet: { id: SUBNET }, networkInterfaces: [{ privateIpAddress: address }] },
      },
    });
  }
}
