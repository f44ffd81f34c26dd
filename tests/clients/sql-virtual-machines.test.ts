/** The public management client for SQL virtual machines, as its users run it: over http and https, in both spellings. */
import { SqlVirtualMachineManagementClient } from "@azure/arm-sqlvirtualmachine";
import { expect, test } from "vitest";
import {
  expectOneSpelling,
  expectSameInBothSpellings,
  msRestJsCredentials,
  msRestJsOptions,
  ways,
  wireTo,
} from "../support/management-clients.ts";
import { onBothDatabases } from "../support/medley.ts";
import { sqlVirtualMachineServices } from "../support/sql-virtual-machines.ts";

const GROUP = "testrg";
const options = { services: sqlVirtualMachineServices, tls: true, provisioningSeconds: 0.2 };
const namesOf = (listed: readonly { readonly name?: string }[]) => listed.map(({ name }) => name);

onBothDatabases(
  "the SQL virtual machine client",
  (instance) => {
    test.concurrent.each(ways)(
      "a cluster's whole life over $scheme in the spelling $spelling",
      async (way) => {
        const { scheme, spelling } = way;
        const wire = wireTo(instance(), way);
        const subscription = `sql-machines-${scheme}-${spelling}`;
        const client = new SqlVirtualMachineManagementClient(
          msRestJsCredentials(wire),
          subscription,
          msRestJsOptions(wire),
        );
        const scope = `/subscriptions/${subscription}/resourceGroups/${GROUP}/providers`;
        const machineId = (name: string) =>
          `${scope}/${spelling}.SqlVirtualMachine/sqlVirtualMachines/${name}`;

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
        expect(group.type).toBe(`${spelling}.SqlVirtualMachine/sqlVirtualMachineGroups`);

        for (const name of ["testvm1", "testvm2"]) {
          const machine = await client.sqlVirtualMachines.createOrUpdate(GROUP, name, {
            location: "northeurope",
            virtualMachineResourceId: `${scope}/${spelling}.Compute/virtualMachines/${name}`,
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
        expect(expanded.virtualMachineResourceId).toBe(
          `${scope}/${spelling}.Compute/virtualMachines/testvm1`,
        );
        const members = await client.sqlVirtualMachines.listBySqlVmGroup(GROUP, "testgroup");
        expect(namesOf(members)).toEqual(["testvm1", "testvm2"]);
        wire.pageSize = 1;
        const page = await client.sqlVirtualMachines.listByResourceGroup(GROUP);
        const next = await client.sqlVirtualMachines.listByResourceGroupNext(String(page.nextLink));
        wire.pageSize = undefined;
        expect([namesOf(page), namesOf(next), next.nextLink]).toEqual([["testvm1"], ["testvm2"], undefined]);

        const listener = await client.availabilityGroupListeners.createOrUpdate(
          GROUP,
          "testgroup",
          "agl-test",
          {
            availabilityGroupName: "ag-test",
            port: 1433,
            loadBalancerConfigurations: [
              {
                privateIpAddress: {
                  ipAddress: "10.1.0.112",
                  subnetResourceId: `${scope}/${spelling}.Network/virtualNetworks/vnet/subnets/default`,
                },
                loadBalancerResourceId: `${scope}/${spelling}.Network/loadBalancers/lb-test`,
                probePort: 59983,
                sqlVirtualMachineInstances: [machineId("testvm1"), machineId("testvm2")],
              },
            ],
          },
        );
        expect(listener.loadBalancerConfigurations?.[0]?.sqlVirtualMachineInstances).toEqual([
          machineId("testvm1"),
          machineId("testvm2"),
        ]);
        expect(await client.availabilityGroupListeners.listByGroup(GROUP, "testgroup")).toHaveLength(1);
        for (const id of [group.id, listener.id, machineId("testvm1")])
          await expectSameInBothSpellings(instance(), String(id), "2017-03-01-preview");

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
        expect(namesOf(operations)).toContain(`${spelling}.SqlVirtualMachine/sqlVirtualMachines/write`);
        expectOneSpelling(wire);
      },
    );
  },
  options,
);
