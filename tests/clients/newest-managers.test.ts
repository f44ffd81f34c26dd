/** The newest public clients of resource managers beside the pinned ones, with the api-versions that they send by themselves. */
import { expect, it } from "vitest";
import { load } from "../../tools/installed.mjs";
import { all, dataOptions, keepsFeatureFlags, keysOf, newStore } from "../support/configuration-clients.ts";
import { coreCredential, coreOptions, hookCore, type Wire, wireTo } from "../support/management-clients.ts";
import { onBothDatabases } from "../support/medley.ts";

const { ApiManagementClient } = load("managers", "@azure/arm-apimanagement");
const { AppConfigurationManagementClient } = load("managers", "@azure/arm-appconfiguration");
const { AppConfigurationClient } = load("managers", "@azure/app-configuration");
const { SqlManagementClient } = load("managers", "@azure/arm-sql");

const GROUP = "newest";
const location = "westeurope";
const POLLING = { updateIntervalInMs: 10 };
const makersWays = (["http", "https"] as const).map((scheme) => ({ scheme, spelling: "Microsoft" as const }));
/** The newest API management client takes nothing but a UUID. */
const subscriptionOf = ({ scheme }: { readonly scheme: string }) =>
  `00000000-0000-4000-8000-${scheme.length}23456789012`;
type Named = { readonly id?: string; readonly name?: string };
const namesOf = (listed: readonly Named[]) => listed.map(({ name }) => name);

type Newest = new (
  credential: ReturnType<typeof coreCredential>,
  subscription: string,
  options: ReturnType<typeof coreOptions>,
) => { pipeline: Parameters<typeof hookCore>[1]["pipeline"] };
const clientOn = <C extends Newest>(wire: Wire, Client: C, subscription: string): InstanceType<C> =>
  hookCore(wire, new Client(coreCredential(wire), subscription, coreOptions(wire))) as InstanceType<C>;

onBothDatabases(
  "the newest management clients",
  (instance) => {
    it.concurrent.each(makersWays)("manage diagnostics over $scheme", async (way) => {
      const client = clientOn(wireTo(instance(), way), ApiManagementClient, subscriptionOf(way));
      const { apiManagementService: services, diagnostic } = client;
      const service = await services.beginCreateOrUpdateAndWait(
        GROUP,
        "shop",
        {
          location,
          sku: { name: "Developer", capacity: 1 },
          publisherEmail: "ann@example.org",
          publisherName: "Ann",
        },
        POLLING,
      );
      expect(service).toMatchObject({
        type: "Microsoft.ApiManagement/service",
        provisioningState: "Succeeded",
      });
      const loggerId = `${service.id}/loggers/main`;
      const frontend = { request: { dataMasking: { headers: [{ value: "*", mode: "Mask" }] } } };
      const made = await diagnostic.createOrUpdate(GROUP, "shop", "applicationinsights", {
        loggerId,
        operationNameFormat: "Url",
        frontend,
      });
      expect(made).toMatchObject({ loggerId, operationNameFormat: "Url", frontend });
      const { eTag } = await diagnostic.getEntityTag(GROUP, "shop", "applicationinsights");
      const changed = await diagnostic.update(GROUP, "shop", "applicationinsights", String(eTag), {
        loggerId,
        alwaysLog: "allErrors",
      });
      expect(changed).toMatchObject({ alwaysLog: "allErrors", operationNameFormat: "Url" });
      expect(namesOf(await all(diagnostic.listByService(GROUP, "shop")))).toEqual(["applicationinsights"]);
      await diagnostic.delete(GROUP, "shop", "applicationinsights", "*");
      const circuitBreaker = {
        rules: [
          {
            name: "failures",
            failureCondition: { count: 3, interval: "PT1M", statusCodeRanges: [{ min: 500, max: 599 }] },
            tripDuration: "PT1M",
            acceptRetryAfter: true,
          },
        ],
      };
      const address = { url: "https://orders.example.org", protocol: "http" };
      expect(
        await client.backend.createOrUpdate(GROUP, "shop", "orders", { ...address, circuitBreaker }),
      ).toMatchObject({ ...address, circuitBreaker });
      await services.beginDeleteAndWait(GROUP, "shop", POLLING);
      await expect(all(diagnostic.listByService(GROUP, "shop"))).rejects.toMatchObject({
        statusCode: 404,
        code: "ParentResourceNotFound",
      });
    });

    it.concurrent.each(makersWays)("manage configuration stores over $scheme", async (way) => {
      const client = clientOn(wireTo(instance(), way), AppConfigurationManagementClient, subscriptionOf(way));
      const { configurationStores: stores } = client;
      const name = `newest-${way.scheme}`;
      const body = { location, sku: { name: "Standard" }, disableLocalAuth: true };
      const made = await stores.beginCreateAndWait(GROUP, name, body, POLLING);
      expect(made).toMatchObject({ provisioningState: "Succeeded", disableLocalAuth: true });
      expect(await all(stores.listKeys(GROUP, name))).toEqual([]);
      const open = await stores.beginUpdateAndWait(
        GROUP,
        name,
        { disableLocalAuth: false, publicNetworkAccess: "Disabled" },
        POLLING,
      );
      expect(open).toMatchObject({ disableLocalAuth: false, publicNetworkAccess: "Disabled" });
      const [key] = await all<Named>(stores.listKeys(GROUP, name));
      expect(await stores.regenerateKey(GROUP, name, { id: String(key?.id) })).toMatchObject({ id: key?.id });
      expect(namesOf(await all(stores.listByResourceGroup(GROUP)))).toEqual([name]);
      await expect(
        stores.beginUpdateAndWait(GROUP, name, { enablePurgeProtection: true }, POLLING),
      ).rejects.toMatchObject({ statusCode: 400, code: "SoftDeleteNotSupported" });
      await stores.beginDeleteAndWait(GROUP, name, POLLING);
      await expect(stores.get(GROUP, name)).rejects.toMatchObject({ statusCode: 404 });
    });

    it("keep feature flags, also locked", async () => {
      const management = await newStore(instance(), "newest-data", "flags");
      const [key] = await keysOf(management, "flags");
      await keepsFeatureFlags(new AppConfigurationClient(key!.connectionString!, dataOptions()));
    });

    it.concurrent.each(makersWays)("manage SQL databases over $scheme", async (way) => {
      const client = clientOn(wireTo(instance(), way), SqlManagementClient, subscriptionOf(way));
      const { databases, servers, elasticPools, restorableDroppedDatabases } = client;
      const at = [GROUP, "shop-sql"] as const;
      const administrator = { administratorLogin: "ann", administratorLoginPassword: "Sufficiently-long-1" };
      const server = await servers.beginCreateOrUpdateAndWait(...at, { location, ...administrator }, POLLING);
      expect(server).toMatchObject({ type: "Microsoft.Sql/servers", state: "Ready" });
      const create = (name: string, parameters: object) =>
        databases.beginCreateOrUpdateAndWait(...at, name, { location, ...parameters }, POLLING);
      expect(await create("orders", { sku: { name: "S1" } })).toMatchObject({
        status: "Online",
        currentServiceObjectiveName: "S1",
      });
      const scaled = await databases.beginUpdateAndWait(...at, "orders", { sku: { name: "S3" } }, POLLING);
      expect(scaled.currentServiceObjectiveName).toBe("S3");
      const pool = await elasticPools.beginCreateOrUpdateAndWait(...at, "tenants", { location }, POLLING);
      await create("tenant", { elasticPoolId: pool.id });
      expect(namesOf(await all(databases.listByElasticPool(...at, "tenants")))).toEqual(["tenant"]);
      await databases.rename(...at, "orders", { id: `${server.id}/databases/sales` });
      expect(namesOf(await all(databases.listByServer(...at)))).toEqual(["sales", "tenant"]);
      await create("warehouse", { sku: { name: "DW100" } });
      expect((await databases.beginPauseAndWait(...at, "warehouse", POLLING)).status).toBe("Paused");
      expect((await databases.beginResumeAndWait(...at, "warehouse", POLLING)).status).toBe("Online");
      await databases.beginUpgradeDataWarehouseAndWait(...at, "warehouse", POLLING);
      await databases.beginDeleteAndWait(...at, "sales", POLLING);
      const [dropped] = await all<Named>(restorableDroppedDatabases.listByServer(...at));
      expect(dropped).toMatchObject({ databaseName: "sales" });
      const restored = await create("sales", {
        createMode: "Restore",
        restorableDroppedDatabaseId: dropped?.id,
      });
      expect(restored).toMatchObject({ status: "Online", currentServiceObjectiveName: "S3" });
      await servers.beginDeleteAndWait(...at, POLLING);
      await expect(all(databases.listByServer(...at))).rejects.toMatchObject({ statusCode: 404 });
    });
  },
  {
    services: [
      "api-diagnostics",
      "configuration-stores",
      "configuration-data",
      "sql-databases",
      "resource-manager",
    ],
    tls: true,
    provisioningSeconds: 0.1,
  },
);
