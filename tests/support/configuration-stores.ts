/** Configuration stores for tests: made, addressed, and their keys handed out. */
import { expect } from "vitest";
import type { AccessKey } from "./configuration-data.ts";
import type { Instance } from "./medley.ts";

export const configurationServices = ["configuration-stores", "configuration-data", "resource-manager"];
export const VERSION = "api-version=2019-11-01-preview";
/** Of a store's own endpoint. */
export const DATA_VERSION = "api-version=2023-11-01";
export const PROVIDER = "providers/Vendor.AppConfiguration";

export type StorePlace = { readonly subscription?: string; readonly group?: string; readonly root?: string };
export const storePath = (
  name: string,
  { subscription = "sub-1", group = "web", root = "/management" }: StorePlace = {},
) => `${root}/subscriptions/${subscription}/resourceGroups/${group}/${PROVIDER}/configurationStores/${name}`;
export const withVersion = (path: string) => `${path}?${VERSION}`;
export const storeBody = { location: "West US", sku: { name: "Standard" } };

export async function makeStore(
  instance: Instance,
  name: string,
  place: StorePlace = {},
  body: object = storeBody,
) {
  const made = await instance.bearer("PUT", withVersion(storePath(name, place)), { body });
  expect(made.status).toBe(201);
  return made.body;
}
export async function keysOf(instance: Instance, name: string, place: StorePlace = {}) {
  const answer = await instance.bearer("POST", withVersion(`${storePath(name, place)}/ListKeys`));
  expect(answer.status).toBe(200);
  return answer.body.value as (AccessKey & { name: string; readOnly: boolean })[];
}
/** A new store's keys: two that write, two that only read. */
export async function keysOfNewStore(
  instance: Instance,
  name: string,
  sku = "Standard",
): Promise<[AccessKey, AccessKey, AccessKey, AccessKey]> {
  await makeStore(instance, name, {}, { location: "West US", sku: { name: sku } });
  return (await keysOf(instance, name)) as unknown as [AccessKey, AccessKey, AccessKey, AccessKey];
}
