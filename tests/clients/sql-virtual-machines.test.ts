/** The public management client for SQL virtual machines, as its users run it, over https and over http. */
import { Agent as HttpsAgent } from "node:https";
import { SqlVirtualMachineManagementClient } from "@azure/arm-sqlvirtualmachine";
import { TokenCredentials } from "@azure/ms-rest-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const GROUP = "testrg";
const [TOKEN] = accounts.first.tokens as [string];

function clientOver(scheme: "http" | "https", { medley }: Instance, subscription: string) {
  const options = { longRunningOperationRetryTimeout: 0.05 };
  const token = new TokenCredentials(TOKEN);
  if (scheme === "http")
    return new SqlVirtualMachineManagementClient(token, subscription, {
      ...options,
      baseUri: `${medley.url}/management`,
    });
  const https = new HttpsAgent({ ca: medley.certificateAuthorityPem as string });
  return new SqlVirtualMachineManagementClient(token, subscription, {
    ...options,
    baseUri: `${medley.tlsUrl}/management`,
    agentSettings: { https } as never,
  });
}

describe.each(["sqlite", "postgres"] as const)("the SQL virtual machine client on %s", (on) => {
  let instance: Instance;
  beforeAll(async () => {
    const services = ["sql-virtual-machines", "resource-manager"];
    instance = await startInstance({ on, services, tls: true, provisioningSeconds: 0.2 });
  });
  afterAll(() => instance?.stop());

  test.each(["https", "http"] as const)("a cluster's whole life over %s", async (scheme) => {
    const subscription = `00000000-1111-2222-3333-44444444444${scheme.length}`;
    const client = clientOver(scheme, instance, subscription);
    const scope = `/subscriptions/${subscription}/resourceGroups/${GROUP}/providers`;
    const machineId = (name: string) => `${scope}/Microsoft.SqlVirtualMachine/sqlVirtualMachines/${name}`;

    const group = await client.sqlVirtualMachineGroups.createOrUpdate(GROUP, "testgroup", {
      location: "northeurope",
      tags: { mytag: "myval" },
      sqlImageOffer: "SQL2016-WS2016",
      sqlImageSku: "Enterprise",
      wsfcDomainProfile: {
        domainFqdn: "testdomain.com",
        ouPath: "OU=WSCluster,DC=testdomain,DC=com",
        clusterBootstrapAccount: "testrpadmin",
        clusterOperatorAccount: "testrp@testdomain.com",
        sqlServiceAccount: "sqlservice@testdomain.com",
        storageAccountUrl: "https://storgact.blob.core.windows.net/",
        storageAccountPrimaryKey: "cHJpbWFyeS1rZXktb2YtdGhlLXdpdG5lc3M=",
      },
    });
    expect(group).toMatchObject({
      provisioningState: "Succeeded",
      clusterManagerType: "WSFC",
      scaleType: "HA",
    });
    expect(group.type).toBe("Microsoft.SqlVirtualMachine/sqlVirtualMachineGroups");

    for (const name of ["testvm1", "testvm2"]) {
      const machine = await client.sqlVirtualMachines.createOrUpdate(GROUP, name, {
        location: "northeurope",
        virtualMachineResourceId: `${scope}/Microsoft.Compute/virtualMachines/${name}`,
        sqlServerLicenseType: "PAYG",
        sqlManagement: "Full",
        sqlImageSku: "Enterprise",
        sqlVirtualMachineGroupResourceId: group.id as string,
        wsfcDomainCredentials: {
          clusterBootstrapAccountPassword: "one",
          clusterOperatorAccountPassword: "two",
          sqlServiceAccountPassword: "three",
        },
        autoPatchingSettings: {
          enable: true,
          dayOfWeek: "Sunday",
          maintenanceWindowStartingHour: 2,
          maintenanceWindowDuration: 60,
        },
      });
      expect([machine.provisioningState, machine.sqlImageOffer]).toEqual(["Succeeded", "SQL2016-WS2016"]);
    }
    const expanded = await client.sqlVirtualMachines.get(GROUP, "testvm1", { expand: "*" });
    expect(expanded.autoPatchingSettings?.dayOfWeek).toBe("Sunday");
    expect(expanded.virtualMachineResourceId).toContain("/Microsoft.Compute/");
    const members = await client.sqlVirtualMachines.listBySqlVmGroup(GROUP, "testgroup");
    expect(members.map(({ name }) => name)).toEqual(["testvm1", "testvm2"]);

    const listener = await client.availabilityGroupListeners.createOrUpdate(GROUP, "testgroup", "agl-test", {
      availabilityGroupName: "ag-test",
      port: 1433,
      loadBalancerConfigurations: [
        {
          privateIpAddress: {
            ipAddress: "10.1.0.112",
            subnetResourceId: `${scope}/Microsoft.Network/virtualNetworks/vnet/subnets/default`,
          },
          loadBalancerResourceId: `${scope}/Microsoft.Network/loadBalancers/lb-test`,
          probePort: 59983,
          sqlVirtualMachineInstances: [machineId("testvm1"), machineId("testvm2")],
        },
      ],
    });
    expect(listener.loadBalancerConfigurations?.[0]?.sqlVirtualMachineInstances).toEqual([
      machineId("testvm1"),
      machineId("testvm2"),
    ]);
    expect(await client.availabilityGroupListeners.listByGroup(GROUP, "testgroup")).toHaveLength(1);

    await expect(client.sqlVirtualMachineGroups.deleteMethod(GROUP, "testgroup")).rejects.toMatchObject({
      statusCode: 400,
      code: "SqlVmGroupNotEmpty",
    });
    await client.availabilityGroupListeners.deleteMethod(GROUP, "testgroup", "agl-test");
    const tagged = await client.sqlVirtualMachines.update(GROUP, "testvm1", { tags: { mytag: "other" } });
    expect(tagged.tags).toEqual({ mytag: "other" });
    for (const name of ["testvm1", "testvm2"]) await client.sqlVirtualMachines.deleteMethod(GROUP, name);
    expect(await client.sqlVirtualMachines.list()).toHaveLength(0);
    expect(await client.sqlVirtualMachineGroups.listByResourceGroup(GROUP)).toHaveLength(1);
    await client.sqlVirtualMachineGroups.deleteMethod(GROUP, "testgroup");
    await expect(client.sqlVirtualMachineGroups.get(GROUP, "testgroup")).rejects.toMatchObject({
      statusCode: 404,
    });
    const operations = await client.operations.list();
    expect(operations.map(({ name }) => name)).toContain(
      "Microsoft.SqlVirtualMachine/sqlVirtualMachines/write",
    );
  });
});
