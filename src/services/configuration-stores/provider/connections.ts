/** Private endpoint connections of a store: one side requests them, the other approves or rejects. */
import type { Context } from "#kernel/operation";
import {
  findById,
  isIdOfType,
  type ManagedResource,
  type Preparation,
  resourceType,
} from "#kernel/resource-provider";
import { actionsRequiredOf, type ConnectionProperties, requireTransition } from "../domain/connections.ts";
import { storeErrors } from "../errors.ts";
import type { Tables } from "../tables.ts";
import { decideNetwork } from "./network.ts";
import type { StoreProperties } from "./store-properties.ts";
import { stores } from "./stores.ts";
import { ConnectionAnswer, ConnectionBody } from "./wire.ts";

async function decideNetworkOfStore(
  { key, parentKey }: ManagedResource,
  context: Context<Tables>,
  isGone = false,
): Promise<void> {
  const store = await findById<StoreProperties>(context, parentKey);
  if (store) await decideNetwork(context, store, isGone ? key : undefined);
}

/** The endpoint belongs to the other side. It is set once and cannot change. */
function endpointIdOf(
  wanted: ConnectionProperties,
  { existing }: Preparation<ConnectionProperties>,
): string | undefined {
  const given = wanted.privateEndpoint?.id ?? undefined;
  const known = existing?.properties.privateEndpoint?.id ?? undefined;
  const refuse = (message: string) =>
    storeErrors.invalidEndpoint(message, { target: "properties.privateEndpoint.id" });
  if (given === undefined) return known;
  if (!isIdOfType(given, "Vendor.Network/privateEndpoints"))
    throw refuse(`'${given.slice(0, 200)}' is not the identifier of a private endpoint.`);
  if (known !== undefined && known.toLowerCase() !== given.toLowerCase())
    throw refuse("A connection stays with its private endpoint.");
  return given;
}

export const connections = resourceType<ConnectionProperties>({
  name: "privateEndpointConnections",
  title: "private endpoint connection",
  parent: stores,
  parameter: "privateEndpointConnectionName",
  idWords: "private-endpoint-connections",
  nameRule: {
    pattern: /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,118}[A-Za-z0-9_])?$/,
    says: "it has 1 to 120 letters, digits, underscores, dots and hyphens, and begins with a letter or digit",
    example: "connection-1",
  },
  catalogType: false,
  descriptions: {
    get: "The connection state is `Pending`, `Approved`, `Rejected` or `Disconnected`.",
    put: "Approves or rejects a connection by its state. The first approved connection closes the endpoint of a store without explicit `publicNetworkAccess` to public requests. The private endpoint of a connection cannot change.",
    delete: "Without an approved connection, the endpoint of the store may be open to public requests again.",
  },
  wire: { put: ConnectionBody, answer: ConnectionAnswer },
  errors: [storeErrors.invalidEndpoint, storeErrors.connectionState],
  statuses: { put: { created: 201, updated: 200, acceptedCreate: 201, acceptedUpdate: 201 } },
  work: {
    create: { states: ["Creating"] },
    update: { states: ["Updating"] },
    delete: { states: ["Deleting"] },
  },
  prepare(wanted, about) {
    const { status, description } = wanted.properties.privateLinkServiceConnectionState;
    const former = about.existing?.properties.privateLinkServiceConnectionState;
    const next = status ?? former?.status ?? "Pending";
    if (former) requireTransition(former.status ?? "Pending", next);
    const id = endpointIdOf(wanted.properties, about);
    return {
      ...wanted,
      properties: {
        ...(id !== undefined && { privateEndpoint: { id } }),
        privateLinkServiceConnectionState: {
          status: next,
          description: description ?? former?.description ?? "",
        },
      },
    };
  },
  written: (connection, _previous, context) => decideNetworkOfStore(connection, context),
  removed: (connection, context) => decideNetworkOfStore(connection, context, true),
  present({ properties }) {
    const { status, description } = properties.privateLinkServiceConnectionState;
    return {
      ...properties,
      privateLinkServiceConnectionState: {
        status,
        description,
        actionsRequired: actionsRequiredOf(status ?? "Pending"),
      },
    };
  },
});
