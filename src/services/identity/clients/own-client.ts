/** A client that the caller may change, and its end. */
import type { Context } from "#kernel/operation";
import { clientArnOf } from "./catalog-entry.ts";
import { findClient } from "./client.ts";
import type { Client } from "./domain/client.ts";
import { errors } from "./errors.ts";
import { deleteClientRow } from "./store.ts";
import type { Tables } from "./tables.ts";

type Db = Context<Tables>;

/** The credential kind of a registration token's holder, whose name is the client's id. */
export const REGISTRATION = "registration";

/** A registration token gives access to one client; an owner's credential to all clients of its account. */
export async function getOwn(context: Db, clientId: string): Promise<Client> {
  const { principal } = context;
  const client = await findClient(context.db, clientId);
  const isOwn =
    client?.account === context.account &&
    (principal.credentialKind !== REGISTRATION || principal.name === clientId);
  if (!client || !isOwn) throw errors.clientNotFound(`There is no client ${clientId.slice(0, 128)}.`);
  return client;
}

/** Deletes only the client. `connect` also deletes its tokens and consents. Needs a transaction. */
export async function removeClient(context: Db, clientId: string): Promise<void> {
  await getOwn(context, clientId);
  await deleteClientRow(context.db, clientId);
  await context.catalog.remove(clientArnOf(context.account, clientId));
}
