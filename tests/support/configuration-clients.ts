/** The public clients of configuration stores: the management client, and the configuration client on a store's own endpoint. */
import {
  AppConfigurationClient,
  type AppConfigurationClientOptions,
  isFeatureFlag,
  parseFeatureFlag,
} from "@azure/app-configuration";
import { AppConfigurationManagementClient } from "@azure/arm-appconfiguration";
import { expect } from "vitest";
import { coreCredential, coreOptions, hookCore, makersWay, type Wire, wireTo } from "./management-clients.ts";
import type { Instance } from "./medley.ts";

export const configurationServices = ["configuration-stores", "configuration-data", "resource-manager"];
export const CONFIGURATION_VERSION = "2019-11-01-preview";
export const GROUP = "settings";

export const managementOn = (wire: Wire, subscription: string, apiVersion = CONFIGURATION_VERSION) =>
  hookCore(
    wire,
    new AppConfigurationManagementClient(coreCredential(wire), subscription, {
      ...coreOptions(wire),
      apiVersion,
    }),
  );

/** Signed with the key of the connection string. */
export const dataClient = (connectionString: string, authority?: string) =>
  new AppConfigurationClient(connectionString, dataOptions(authority));
export const dataOptions = (authority?: string) =>
  ({
    retryOptions: { maxRetries: 0 },
    ...(authority === undefined ? { allowInsecureConnection: true } : { tlsOptions: { ca: authority } }),
  }) as AppConfigurationClientOptions;

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
export const keysOf = (client: AppConfigurationManagementClient, store: string) =>
  all(client.configurationStores.listKeys(GROUP, store));

/** A store for tests of something else. */
export async function newStore(
  instance: Instance,
  subscription: string,
  store: string,
): Promise<AppConfigurationManagementClient> {
  const client = managementOn(wireTo(instance, makersWay), subscription);
  await client.configurationStores.beginCreateAndWait(
    GROUP,
    store,
    { location: "westus", sku: { name: "Standard" }, tags: { stage: "test" } },
    { updateIntervalInMs: 10 },
  );
  return client;
}

/** A flag is written, read, locked and deleted. */
export async function keepsFeatureFlags(data: AppConfigurationClient): Promise<void> {
  const address = { key: ".appconfig.featureflag/beta" };
  await data.setConfigurationSetting({
    ...address,
    contentType: "application/vnd.microsoft.appconfig.ff+json;charset=utf-8",
    value: { id: "beta", enabled: true, conditions: { clientFilters: [] } },
  });
  const flag = await data.getConfigurationSetting(address);
  expect(isFeatureFlag(flag)).toBe(true);
  expect(parseFeatureFlag(flag).value.enabled).toBe(true);
  await data.setReadOnly(address, true);
  await expect(data.deleteConfigurationSetting(address)).rejects.toMatchObject({ statusCode: 409 });
  await data.setReadOnly(address, false);
  expect((await data.deleteConfigurationSetting(address)).statusCode).toBe(200);
}
