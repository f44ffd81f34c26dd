import { isoOf } from "#kernel/clock";
import { isUniqueViolation } from "#kernel/db";
import type { Context } from "#kernel/operation";
import {
  type Desired,
  type ManagedResource,
  managementErrors,
  type Preparation,
  resourceType,
  tenantOf,
} from "#kernel/resource-provider";
import { createAccessKeys } from "../access/keys.ts";
import { completeIdentity, type Identity, mergeIdentity, type WantedIdentity } from "../domain/identity.ts";
import { networkOf } from "../domain/network.ts";
import { findTier, tiers } from "../domain/tiers.ts";
import { endpointOf } from "../endpoint.ts";
import { storeErrors } from "../errors.ts";
import { changeTier, deleteAccessKeys, deleteStore, insertStore } from "../store/index.ts";
import { accessOf, decideNetwork } from "./network.ts";
import { listKeys, listKeyValue, regenerateKey } from "./store-actions.ts";
import type { Encryption, StoreProperties } from "./store-properties.ts";
import { StoreAnswer, StoreBody, StoreChange } from "./wire.ts";

type Store = ManagedResource<StoreProperties>;

export const STORE_NAME = /^[a-zA-Z0-9_-]{5,50}$/;
export const STORE_NAME_RULE = "it has 5 to 50 letters, digits, underscores and hyphens";
const KEY_ADDRESS = /^https:\/\/[^/\s]+\/keys\/[^/\s]+(?:\/[^/\s]*)?$/i;

const skuOf = (envelope: Desired["envelope"]): string =>
  (envelope?.sku as { name?: string } | undefined)?.name ?? "";

function requireSku(wanted: string, existing: string | undefined): void {
  if (!findTier(wanted))
    throw storeErrors.invalidSku(
      `The SKU '${wanted.slice(0, 64)}' does not exist; there are ${Object.keys(tiers).join(" and ")}.`,
      { target: "sku.name" },
    );
  if (existing?.toLowerCase() === "standard" && wanted.toLowerCase() === "free")
    throw storeErrors.downgrade("A store of the Standard tier cannot go back to the Free tier.", {
      target: "sku.name",
    });
}

/** Undefined if the store uses service-managed keys. */
function encryptionOf({ encryption }: StoreProperties, sku: string): Encryption | undefined {
  const { keyIdentifier, identityClientId } = encryption?.keyVaultProperties ?? {};
  if (!keyIdentifier) return undefined;
  const refuse = (message: string) =>
    storeErrors.invalidEncryption(message, { target: "properties.encryption.keyVaultProperties" });
  if (!KEY_ADDRESS.test(keyIdentifier))
    throw refuse(
      "A key identifier is the address of a key: https://<vault>/keys/<name>, with or without a version.",
    );
  if (sku.toLowerCase() === "free") throw refuse("Keys of one's own need the Standard tier.");
  return { keyVaultProperties: { keyIdentifier, ...(identityClientId && { identityClientId }) } };
}

/**
 * Clients with soft-delete support send its defaults with every store. Other values are rejected, because
 * soft delete is not supported.
 */
function refuseSoftDelete({ enablePurgeProtection, createMode }: StoreProperties): void {
  const refuse = (member: string, wish: string) =>
    storeErrors.noSoftDelete(`Deleted stores are gone at once: ${wish}.`, { target: `properties.${member}` });
  if (enablePurgeProtection) throw refuse("enablePurgeProtection", "there is no purge to protect them from");
  if (createMode === "Recover") throw refuse("createMode", "none can be recovered");
}

function settingsOf(wanted: StoreProperties): StoreProperties {
  const { disableLocalAuth, publicNetworkAccess, enablePurgeProtection, softDeleteRetentionInDays } = wanted;
  return {
    ...(disableLocalAuth !== undefined && { disableLocalAuth }),
    ...(publicNetworkAccess && { publicNetworkAccess }),
    ...(enablePurgeProtection !== undefined && { enablePurgeProtection }),
    ...(softDeleteRetentionInDays !== undefined && { softDeleteRetentionInDays: 0 }),
  };
}

function prepare(
  wanted: Desired<StoreProperties>,
  { mode, existing, body }: Preparation<StoreProperties>,
  context: Context,
): Desired<StoreProperties> {
  const sku = skuOf(wanted.envelope);
  requireSku(sku, existing && skuOf(existing.envelope));
  const known = existing?.envelope.identity as Identity | undefined;
  const asked = body.identity as WantedIdentity | null | undefined;
  const identity = completeIdentity(
    mode === "put" ? (asked ?? {}) : mergeIdentity(asked, known),
    known,
    () => tenantOf(context.account),
    () => context.ids.uuid(),
  );
  refuseSoftDelete(wanted.properties);
  const encryption = encryptionOf(wanted.properties, sku);
  return {
    ...wanted,
    envelope: { sku: { name: sku }, ...(identity && { identity }) },
    properties: { ...settingsOf(wanted.properties), ...(encryption && { encryption }) },
  };
}

async function written(store: Store, previous: Store | undefined, context: Context): Promise<void> {
  const name = store.name.toLowerCase();
  const tier = skuOf(store.envelope).toLowerCase();
  if (previous) return rewritten(store, previous, context);
  const now = context.clock.nowMs();
  const row = {
    name,
    account: context.account,
    tier,
    created_at: now,
    used_bytes: 0,
    measured_at: now,
    resource_id: store.id,
    network: networkOf(accessOf(store), false),
  };
  try {
    await insertStore(context.db, row);
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken(store.name);
    throw error;
  }
  if (!store.properties.disableLocalAuth) await createAccessKeys(context, name);
}
async function rewritten(store: Store, previous: Store, context: Context): Promise<void> {
  const name = store.name.toLowerCase();
  const tier = skuOf(store.envelope).toLowerCase();
  if (skuOf(previous.envelope).toLowerCase() !== tier) await changeTier(context.db, name, tier);
  if (accessOf(store) !== accessOf(previous)) await decideNetwork(context, store);
  const [had, has] = [previous, store].map(({ properties }) => !properties.disableLocalAuth);
  if (had && !has) await deleteAccessKeys(context.db, name);
  if (has && !had) await createAccessKeys(context, name);
}
const nameTaken = (name: string) =>
  managementErrors.nameTaken(`The specified name '${name}' is already in use.`, {
    target: "configStoreName",
  });

export const stores = resourceType<StoreProperties>({
  name: "configurationStores",
  title: "configuration store",
  parameter: "configStoreName",
  idWords: "stores",
  nameRule: { pattern: STORE_NAME, says: STORE_NAME_RULE, example: "shop-settings" },
  nameIsGlobal: true,
  nameTaken: ({ names }) => nameTaken(names.at(-1) ?? ""),
  catalogType: "ConfigurationStore",
  descriptions: {
    get: "`endpoint` is the URL of the key-values; requests to it are signed with a key from `configuration-stores.stores.list-keys`.",
    put: "Creates four access keys, two of them read-only, unless `disableLocalAuth` is set. The Free tier holds 10 MB and keeps revisions for 7 days, Standard 1 GB and 30 days. A Standard store cannot become Free. Soft delete and purge protection are not supported.",
    patch: "Setting `disableLocalAuth` deletes all access keys; clearing it creates new ones.",
    delete:
      "Deletes all key-values, revisions, snapshots and access keys. A deleted store cannot be recovered, and its name is free again.",
  },
  wire: { put: StoreBody, patch: StoreChange, answer: StoreAnswer },
  lists: { bySubscription: true },
  errors: [
    storeErrors.invalidSku,
    storeErrors.downgrade,
    storeErrors.invalidIdentity,
    storeErrors.invalidEncryption,
    storeErrors.noSoftDelete,
  ],
  statuses: {
    put: { created: 201, updated: 200, acceptedCreate: 201, acceptedUpdate: 201 },
    patch: { done: 200, accepted: 201 },
  },
  work: {
    create: { states: ["Creating"] },
    update: { states: ["Updating"] },
    delete: { states: ["Deleting"] },
  },
  actions: [listKeys, regenerateKey, listKeyValue],
  prepare,
  written,
  async removed(store, context) {
    await deleteStore(context.db, store.name.toLowerCase());
  },
  present: (store, context) => ({
    creationDate: isoOf(store.createdAtMs),
    endpoint: endpointOf(context, store.name),
    ...store.properties,
  }),
});
