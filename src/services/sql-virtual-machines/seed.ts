/** Demo data: a cluster of two machines with a listener, and a standalone machine. */
import type { Context } from "#kernel/operation";
import {
  demoSubscriptionOf,
  findById,
  groupIdOf,
  makeResource,
  type ResourceType,
} from "#kernel/resource-provider";
import { groups } from "./operations/groups.ts";
import { listeners } from "./operations/listeners.ts";
import { machines } from "./operations/machines.ts";
import { GROUP_TYPE } from "./operations/membership.ts";

const MACHINES = ["orders-sql-1", "orders-sql-2"];

export async function seed(context: Context): Promise<void> {
  const subscriptionId = demoSubscriptionOf(context.account);
  const providers = `${groupIdOf(subscriptionId, "data-rg")}/providers`;
  if (await findById(context, `${providers}/${GROUP_TYPE}/orders-ag`)) return;
  const make = (type: ResourceType, names: readonly string[], body: Readonly<Record<string, unknown>>) =>
    makeResource(context, type, { subscriptionId, resourceGroup: "data-rg", names }, body);
  await make(groups, ["orders-ag"], {
    location: "westeurope",
    tags: { system: "orders" },
    properties: {
      sqlImageOffer: "SQL2019-WS2019",
      sqlImageSku: "Enterprise",
      wsfcDomainProfile: {
        domainFqdn: "example.org",
        ouPath: "OU=Clusters,DC=example,DC=org",
        clusterOperatorAccount: "operator@example.org",
        sqlServiceAccount: "sqlservice@example.org",
      },
    },
  });
  await make(machines, ["reports-sql"], {
    location: "westeurope",
    tags: { system: "reports" },
    properties: { sqlImageOffer: "SQL2019-WS2019", sqlImageSku: "Standard", sqlServerLicenseType: "PAYG" },
  });
  for (const name of MACHINES) {
    await make(machines, [name], {
      location: "westeurope",
      tags: { system: "orders" },
      properties: {
        sqlServerLicenseType: "PAYG",
        sqlVirtualMachineGroupResourceId: `${providers}/Vendor.SqlVirtualMachine/sqlVirtualMachineGroups/orders-ag`,
        wsfcDomainCredentials: {
          clusterOperatorAccountPassword: context.ids.secret(20),
          sqlServiceAccountPassword: context.ids.secret(20),
        },
      },
    });
  }
  await make(listeners, ["orders-ag", "orders-listener"], {
    properties: {
      availabilityGroupName: "orders",
      port: 1433,
      loadBalancerConfigurations: [
        {
          privateIpAddress: {
            ipAddress: "10.3.0.10",
            subnetResourceId: `${providers}/Vendor.Network/virtualNetworks/data-vnet/subnets/sql`,
          },
          loadBalancerResourceId: `${providers}/Vendor.Network/loadBalancers/orders-lb`,
          probePort: 59_999,
          sqlVirtualMachineInstances: MACHINES.map(
            (name) => `${providers}/Vendor.SqlVirtualMachine/sqlVirtualMachines/${name}`,
          ),
        },
      ],
    },
  });
}
