/** The management client for SQL, unmodified. */
import { SqlManagementClient } from "@azure/arm-sql";
import { TokenCredentials } from "@azure/ms-rest-js";
import { expect, it } from "vitest";
import { onBothDatabases } from "../support/medley.ts";

onBothDatabases(
  "the SQL management client",
  (instance) => {
    it("runs the story, waiting for what takes time", async () => {
      const client = new SqlManagementClient(new TokenCredentials("first-token-0001"), "sql-client", {
        baseUri: `${instance().url}/management`,
        longRunningOperationRetryTimeout: 0.05,
      });
      const { databases } = client;
      const location = "westeurope";
      const orders = await databases.createOrUpdate("data", "shop-sql", "orders", {
        location,
        sku: { name: "S1" },
      });
      expect(orders).toMatchObject({
        name: "orders",
        type: "Microsoft.Sql/servers/databases",
        status: "Online",
        currentServiceObjectiveName: "S1",
      });
      const copy = await databases.createOrUpdate("data", "shop-sql", "orders-copy", {
        location,
        createMode: "Copy",
        sourceDatabaseId: orders.id!,
      });
      expect(copy.status).toBe("Online");
      const scaled = await databases.update("data", "shop-sql", "orders", { sku: { name: "S3" } });
      expect(scaled.currentServiceObjectiveName).toBe("S3");
      await databases.rename("data", "shop-sql", "orders-copy", {
        id: orders.id!.replace(/orders$/, "orders-2026"),
      });
      expect((await databases.listByServer("data", "shop-sql")).map(({ name }) => name)).toEqual([
        "orders",
        "orders-2026",
      ]);
      await databases.createOrUpdate("data", "shop-sql", "tenant", {
        location,
        elasticPoolId: orders.id!.replace("/databases/orders", "/elasticPools/tenants"),
      });
      expect(
        (await databases.listByElasticPool("data", "shop-sql", "tenants")).map(({ name }) => name),
      ).toEqual(["tenant"]);
      await databases.createOrUpdate("data", "shop-sql", "warehouse", { location, sku: { name: "DW100" } });
      await databases.pause("data", "shop-sql", "warehouse");
      expect((await databases.get("data", "shop-sql", "warehouse")).status).toBe("Paused");
      await databases.resume("data", "shop-sql", "warehouse");
      expect((await databases.get("data", "shop-sql", "warehouse")).status).toBe("Online");
      await databases.upgradeDataWarehouse("data", "shop-sql", "warehouse");
      expect((await databases.get("data", "shop-sql", "warehouse")).currentServiceObjectiveName).toBe(
        "DW100c",
      );
      await databases.deleteMethod("data", "shop-sql", "orders");
      await expect(databases.get("data", "shop-sql", "orders")).rejects.toMatchObject({ statusCode: 404 });
      await expect(
        databases.createOrUpdate("data", "shop-sql", "bad", { location, sku: { name: "S99" } }),
      ).rejects.toMatchObject({ statusCode: 400, code: "InvalidSkuName" });
    });
  },
  { services: ["sql-databases", "resource-manager"], provisioningSeconds: 0.1 },
);
