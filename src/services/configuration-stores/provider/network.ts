/** Updates a store's network access after changes of its setting or its private endpoint connections. */
import type { Context } from "#kernel/operation";
import { eachChild, type ManagedResource } from "#kernel/resource-provider";
import type { ConnectionProperties } from "../domain/connections.ts";
import { type NetworkAccess, networkOf } from "../domain/network.ts";
import { changeNetwork } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import type { StoreProperties } from "./store-properties.ts";

const CONNECTION_TYPE = "Vendor.AppConfiguration/configurationStores/privateEndpointConnections";

type Store = Pick<ManagedResource<StoreProperties>, "name" | "key" | "properties">;

export const accessOf = ({ properties }: Pick<Store, "properties">): NetworkAccess | undefined =>
  properties.publicNetworkAccess ?? undefined;

async function hasApprovedEndpoint(context: Context, { key }: Store, except?: string): Promise<boolean> {
  for await (const connection of eachChild<ConnectionProperties>(context, CONNECTION_TYPE, key))
    if (
      connection.key !== except &&
      connection.properties.privateLinkServiceConnectionState.status === "Approved"
    )
      return true;
  return false;
}

/** `except`: a connection that is being deleted. */
export async function decideNetwork(context: Context<Tables>, store: Store, except?: string): Promise<void> {
  const network = networkOf(accessOf(store), await hasApprovedEndpoint(context, store, except));
  await changeNetwork(context.db, store.name.toLowerCase(), network);
}
