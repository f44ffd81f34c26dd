/** The public management client for SQL, as its users run it: over http and https, in both spellings. */
import { SqlManagementClient } from "@azure/arm-sql";
import { expect, it } from "vitest";
import {
  expectOneSpelling,
  expectSameInBothSpellings,
  msRestJsCredentials,
  msRestJsOptions,
  ways,
  wireTo,
} from "../support/management-clients.ts";
import { onBothDatabases } from "../support/medley.ts";

const GROUP = "data";
const SERVER = "shop-sql";
const location = "westeurope";
const namesOf = (listed: readonly { readonly name?: string }[]) => listed.map(({ name }) => name);

onBothDatabases(
  "the SQL management client",
  (instance) => {
    it.concurrent.each(ways)("runs the story over $scheme in the spelling $spelling", async (way) => {
      const wire = wireTo(instance(), way);
      const client = new SqlManagementClient(
        msRestJsCredentials(wire),
        `sql-${way.scheme}-${way.spelling}`,
        msRestJsOptions(wire),
      );
      const { databases } = client;
      const statusOf = async (name: string) => (await databases.get(GROUP, SERVER, name)).status;

      const server = await client.servers.createOrUpdate(GROUP, SERVER, {
        location,
        administratorLogin: "ann",
        administratorLoginPassword: "Sufficiently-long-1",
      });
      expect(server).toMatchObject({ type: `${way.spelling}.Sql/servers`, state: "Ready" });
      expect(server.administratorLoginPassword).toBeUndefined();

      const orders = await databases.createOrUpdate(GROUP, SERVER, "orders", {
        location,
        sku: { name: "S1" },
      });
      expect(orders).toMatchObject({
        id: `${server.id}/databases/orders`,
        name: "orders",
        type: `${way.spelling}.Sql/servers/databases`,
        status: "Online",
        currentServiceObjectiveName: "S1",
      });
      const copy = await databases.createOrUpdate(GROUP, SERVER, "orders-copy", {
        location,
        createMode: "Copy",
        sourceDatabaseId: orders.id!,
      });
      expect(copy).toMatchObject({ status: "Online", currentServiceObjectiveName: "S1" });
      const scaled = await databases.update(GROUP, SERVER, "orders", { sku: { name: "S3" } });
      expect(scaled.currentServiceObjectiveName).toBe("S3");
      await databases.rename(GROUP, SERVER, "orders-copy", { id: `${server.id}/databases/orders-2026` });

      const elasticPoolId = `${server.id}/elasticPools/tenants`;
      const tenant = await databases.createOrUpdate(GROUP, SERVER, "tenant", { location, elasticPoolId });
      expect(tenant.elasticPoolId).toBe(elasticPoolId);
      expect(namesOf(await databases.listByElasticPool(GROUP, SERVER, "tenants"))).toEqual(["tenant"]);
      await expectSameInBothSpellings(instance(), `${server.id}/databases`, "2017-10-01-preview");
      wire.pageSize = 2;
      const page = await databases.listByServer(GROUP, SERVER);
      const next = await databases.listByServerNext(String(page.nextLink));
      wire.pageSize = undefined;
      expect([namesOf(page), namesOf(next), next.nextLink]).toEqual([
        ["orders", "orders-2026"],
        ["tenant"],
        undefined,
      ]);

      await databases.createOrUpdate(GROUP, SERVER, "warehouse", { location, sku: { name: "DW100" } });
      await databases.pause(GROUP, SERVER, "warehouse");
      expect(await statusOf("warehouse")).toBe("Paused");
      await expect(
        databases.update(GROUP, SERVER, "warehouse", { sku: { name: "DW200" } }),
      ).rejects.toMatchObject({ statusCode: 400, code: "UpdateNotAllowedOnPausedDatabase" });
      await databases.resume(GROUP, SERVER, "warehouse");
      expect(await statusOf("warehouse")).toBe("Online");
      await databases.upgradeDataWarehouse(GROUP, SERVER, "warehouse");
      expect((await databases.get(GROUP, SERVER, "warehouse")).currentServiceObjectiveName).toBe("DW100c");

      await databases.deleteMethod(GROUP, SERVER, "orders");
      await expect(databases.get(GROUP, SERVER, "orders")).rejects.toMatchObject({
        statusCode: 404,
        code: "ResourceNotFound",
      });
      const [dropped] = await client.restorableDroppedDatabases.listByServer(GROUP, SERVER);
      expect(dropped).toMatchObject({ databaseName: "orders", serviceLevelObjective: "S3" });
      const restored = await databases.createOrUpdate(GROUP, SERVER, "orders", {
        location,
        createMode: "Restore",
        sourceDatabaseId: orders.id!,
        sourceDatabaseDeletionDate: dropped!.deletionDate!,
      });
      expect(restored).toMatchObject({ status: "Online", currentServiceObjectiveName: "S3" });

      await expect(
        databases.createOrUpdate(GROUP, SERVER, "bad", { location, sku: { name: "S99" } }),
      ).rejects.toMatchObject({ statusCode: 400, code: "InvalidSkuName" });
      await client.servers.deleteMethod(GROUP, SERVER);
      await expect(client.servers.get(GROUP, SERVER)).rejects.toMatchObject({ statusCode: 404 });
      expectOneSpelling(wire);
    });
  },
  { services: ["sql-databases", "resource-manager"], tls: true, provisioningSeconds: 0.1 },
);
