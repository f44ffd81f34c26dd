/** Demo data: two modules in one subnet. */
import type { Context } from "#kernel/operation";
import { demoSubscriptionOf, findById, groupIdOf, makeResource } from "#kernel/resource-provider";
import { dedicatedHsms } from "./operations/dedicated-hsms.ts";

export async function seed(context: Context): Promise<void> {
  const subscriptionId = demoSubscriptionOf(context.account);
  const subnet = `${groupIdOf(subscriptionId, "keys-rg")}/providers/Vendor.Network/virtualNetworks/keys-vnet/subnets/hsm`;
  const devices = [
    { name: "signing-hsm-1", address: "10.2.1.10", role: "code-signing" },
    { name: "signing-hsm-2", address: "10.2.1.11", role: "code-signing-standby" },
  ];
  const devicesAt = `${groupIdOf(subscriptionId, "keys-rg")}/providers/Vendor.HardwareSecurityModules/dedicatedHSMs`;
  for (const { name, address, role } of devices) {
    if (await findById(context, `${devicesAt}/${name}`)) continue;
    const at = { subscriptionId, resourceGroup: "keys-rg", names: [name] };
    await makeResource(context, dedicatedHsms, at, {
      location: "westeurope",
      sku: { name: "SafeNet Luna Network HSM A790" },
      tags: { role, environment: "demo" },
      properties: {
        networkProfile: { subnet: { id: subnet }, networkInterfaces: [{ privateIpAddress: address }] },
      },
    });
  }
}
