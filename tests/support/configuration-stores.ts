/** Configuration stores for tests: made, addressed, and their keys handed out. */
import { beforeAll, expect } from "vitest";
import { type AccessKey, type SignedOptions, sendSigned } from "./configuration-data.ts";
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

/** Calls in the words of the management interface. */
export const managementCall = (instance: () => Instance) => (method: string, path: string, body?: unknown) =>
  instance().bearer(method, withVersion(path), { body });

/** A store for a whole file of tests, with signed calls to its own endpoint. */
export function dataStage(instance: () => Instance, store = "wire-store") {
  let keys: [AccessKey, AccessKey, AccessKey, AccessKey];
  beforeAll(async () => {
    keys = await keysOfNewStore(instance(), store);
  });
  const call = (method: string, path: string, options: SignedOptions & { key?: AccessKey } = {}) =>
    sendSigned(instance(), options.key ?? keys[0], method, `/configuration/${store}${path}`, options);
  return {
    call,
    put: (key: string, value: string, query = "", headers: Record<string, string> = {}) =>
      call("PUT", `/kv/${encodeURIComponent(key)}?${DATA_VERSION}${query}`, { body: { value }, headers }),
    /** Two keys that write, then two that only read. */
    keys: () => keys,
  };
}
