/** Updates a store's network access after changes of its setting or its private endpoint connections. */
import type { Context } from "#kernel/operation";
import { listChildren, type ManagedResource } from "#kernel/resource-provider";
import type { ConnectionProperties } from "../domain/connections.ts";
import { type NetworkAccess, networkOf } from "../domain/network.ts";
import { changeNetwork } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import type { StoreProperties } from "./store-properties.ts";

const CONNECTION_TYPE = "Vendor.AppConfiguration/configurationStores/privateEndpointConnections";
const AT_ONCE = 100;

type Store = Pick<ManagedResource<StoreProperties>, "name" | "key" | "properties">;

export const accessOf = ({ properties }: Pick<Store, "properties">): NetworkAccess | undefined =>
  properties.publicNetworkAccess ?? undefined;

async function hasApprovedEndpoint(context: Context, { key }: Store, except?: string): Promise<boolean> {
  let after: string | undefined;
  for (;;) {
    const range = { limit: AT_ONCE, ...(after !== undefined && { after }) };
    const some = await listChildren<ConnectionProperties>(context, CONNECTION_TYPE, key, range);
    const approved = some.some(
      ({ key: connection, properties }) =>
        connection !== except && properties.privateLinkServiceConnectionState.status === "Approved",
    );
    if (approved || some.length < AT_ONCE) return approved;
    after = some.at(-1)?.key;
  }
}

/** `except`: a connection that is being deleted. */
export async function decideNetwork(context: Context<Tables>, store: Store, except?: string): Promise<void> {
  const network = networkOf(accessOf(store), await hasApprovedEndpoint(context, store, except));
  await changeNetwork(context.db, store.name.toLowerCase(), network);
}
