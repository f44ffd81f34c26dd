/** Registering, reading, changing and deleting clients; used by the wire operations, the dashboard and connect. */
import { digestOf, matchesAction } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import { showInCatalog } from "../catalog-entry.ts";
import { clientOf, isSecretOf } from "../client.ts";
import type { Client } from "../domain/client.ts";
import type { ClientMetadata, LogoutMetadata } from "../domain/metadata.ts";
import { errors } from "../errors.ts";
import { getOwn, REGISTRATION } from "../own-client.ts";
import * as store from "../store.ts";
import { ensureSalt } from "../subjects.ts";
import type { ClientRow, Tables } from "../tables.ts";
import type { ClientAnswer, ClientBody } from "../wire/index.ts";
import { metadataOf } from "./metadata.ts";
import { checkSector } from "./sector.ts";

/** An owner's list is answered whole, so it must stay short enough for that. */
const CLIENTS_PER_ACCOUNT_MAX = 1000;
const SECRET_LENGTH = 48;

export const REGISTRATION_SCOPES = [
  "identity:ListClients",
  "identity:GetClient",
  "identity:UpdateClient",
  "identity:DeleteClient",
  "identity:RotateClientSecret",
];

type Db = Context<Tables>;
type Secrets = { readonly secret?: string | undefined; readonly registrationToken?: string };

export function shownClient(client: Client, mountUrl: string, secrets: Secrets = {}): ClientAnswer {
  const { metadata } = client;
  return {
    client_id: client.clientId,
    client_id_issued_at: Math.floor(client.createdAtMs / 1000),
    ...shownMetadata(metadata),
    registration_client_uri: `${mountUrl}/client/${client.clientId}`,
    ...(secrets.secret !== undefined && { client_secret: secrets.secret, client_secret_expires_at: 0 }),
    ...(secrets.registrationToken !== undefined && {
      registration_access_token: secrets.registrationToken,
    }),
  };
}
const shownLogoutUris = (metadata: LogoutMetadata) => ({
  ...(metadata.backchannelLogoutUri !== undefined && {
    backchannel_logout_uri: metadata.backchannelLogoutUri,
    backchannel_logout_session_required: metadata.backchannelSessionRequired ?? false,
  }),
  ...(metadata.frontchannelLogoutUri !== undefined && {
    frontchannel_logout_uri: metadata.frontchannelLogoutUri,
    frontchannel_logout_session_required: metadata.frontchannelSessionRequired ?? false,
  }),
});
const shownMetadata = (metadata: ClientMetadata) => ({
  client_name: metadata.name,
  client_uri: metadata.uri,
  redirect_uris: [...metadata.redirectUris],
  post_logout_redirect_uris: [...metadata.postLogoutRedirectUris],
  response_types: [...metadata.responseTypes],
  grant_types: [...metadata.grantTypes],
  application_type: metadata.applicationType,
  contacts: [...metadata.contacts],
  default_scopes: [...metadata.defaultScopes],
  id_token_signed_response_alg: metadata.idTokenAlgorithm,
  test_mode: metadata.testMode,
  subject_type: metadata.sector === undefined ? "public" : "pairwise",
  ...(metadata.sectorIdentifierUri !== undefined && { sector_identifier_uri: metadata.sectorIdentifierUri }),
  ...shownLogoutUris(metadata),
  ...(metadata.logoUri !== undefined && { logo_uri: metadata.logoUri }),
  ...(metadata.policyUri !== undefined && { policy_uri: metadata.policyUri }),
  ...(metadata.tosUri !== undefined && { tos_uri: metadata.tosUri }),
  ...(metadata.defaultMaxAgeSeconds !== undefined && { default_max_age: metadata.defaultMaxAgeSeconds }),
  ...(metadata.permissions.length > 0 && { scope: metadata.permissions.join(" ") }),
  ...(metadata.authMethod !== undefined && { token_endpoint_auth_method: metadata.authMethod }),
});

/** Callers cannot grant permissions that they do not have. */
function checkPermissions(context: Db, wanted: readonly string[], held: readonly string[]): void {
  const { scopes, credentialKind } = context.principal;
  const mayGive = (permission: string) =>
    held.includes(permission) ||
    scopes === undefined ||
    (credentialKind !== REGISTRATION && scopes.some((scope) => matchesAction(scope, permission)));
  const refused = wanted.find((permission) => !mayGive(permission));
  if (refused !== undefined)
    throw errors.invalidClientMetadata(`scope: the caller may not hand out ${refused}.`, { target: "scope" });
}

const keptSecret = (context: Db, metadata: ClientMetadata, secret: string | undefined) => ({
  secret_digest: secret === undefined ? null : digestOf(secret),
  secret_sealed:
    secret !== undefined && metadata.idTokenAlgorithm === "HS256" ? context.secrets.seal(secret) : null,
});

export async function listClients(context: Db): Promise<ClientAnswer[]> {
  const { principal } = context;
  const rows =
    principal.credentialKind === REGISTRATION
      ? [await store.findClientRow(context.db, principal.name)].filter((row) => row !== undefined)
      : await store.listClientRows(context.db, context.account, CLIENTS_PER_ACCOUNT_MAX);
  return rows.map((row) => shownClient(clientOf(row), context.request.mountUrl));
}

export async function getClient(context: Db, clientId: string): Promise<ClientAnswer> {
  return shownClient(await getOwn(context, clientId), context.request.mountUrl);
}

/** Reads the metadata and verifies the parts that other servers must confirm. */
async function readConfirmed(context: Db, body: ClientBody): Promise<ClientMetadata> {
  const metadata = metadataOf(body);
  await checkSector(context, metadata);
  return metadata;
}

/** Not inside a transaction. */
export async function createClient(context: Db, body: ClientBody): Promise<ClientAnswer> {
  const metadata = await readConfirmed(context, body);
  return context.transact((inner) => addClient(inner, metadata));
}

/** Needs a transaction. */
export async function addClient(context: Db, metadata: ClientMetadata): Promise<ClientAnswer> {
  checkPermissions(context, metadata.permissions, []);
  if ((await store.countClients(context.db, context.account)) >= CLIENTS_PER_ACCOUNT_MAX)
    throw errors.tooManyClients(`An account may have ${CLIENTS_PER_ACCOUNT_MAX} clients.`);
  const secret = metadata.authMethod === "none" ? undefined : context.ids.secret(SECRET_LENGTH);
  const registrationToken = context.ids.secret(SECRET_LENGTH);
  const nowMs = context.clock.nowMs();
  const row: ClientRow = {
    client_id: context.ids.next("app"),
    account: context.account,
    metadata: JSON.stringify(metadata),
    ...keptSecret(context, metadata, secret),
    registration_digest: digestOf(registrationToken),
    guessed_until: null,
    created_at: nowMs,
    updated_at: nowMs,
  };
  await store.insertClient(context.db, row);
  await showInCatalog(context, row.client_id, metadata.name);
  if (metadata.sector !== undefined) await ensureSalt(context);
  return shownClient(clientOf(row), context.request.mountUrl, { secret, registrationToken });
}

/**
 * Replaces all metadata of the client. Absent members get their default. Must not run inside a transaction.
 */
export async function updateClient(context: Db, clientId: string, body: ClientBody): Promise<ClientAnswer> {
  checkRepeated(await getOwn(context, clientId), body);
  const metadata = await readConfirmed(context, body);
  return context.transact((inner) => replaceClient(inner, clientId, metadata, body));
}

/** Immutable members may be repeated, but not changed. */
function checkRepeated(client: Client, body: ClientBody): void {
  const { clientId } = client;
  if (body.client_id !== undefined && body.client_id !== clientId)
    throw errors.invalidClientMetadata("client_id: it cannot be changed.", { target: "client_id" });
  if (body.client_secret !== undefined && !isSecretOf(client, body.client_secret))
    throw errors.invalidClientMetadata("client_secret: it is not the present secret.", {
      target: "client_secret",
    });
}

async function replaceClient(
  context: Db,
  clientId: string,
  metadata: ClientMetadata,
  body: ClientBody,
): Promise<ClientAnswer> {
  const client = await getOwn(context, clientId);
  checkRepeated(client, body);
  checkPermissions(context, metadata.permissions, client.metadata.permissions);
  const { change, secret } = secretChange(context, client, metadata, body.client_secret);
  await store.updateClientRow(context.db, clientId, {
    metadata: JSON.stringify(metadata),
    updated_at: context.clock.nowMs(),
    ...change,
  });
  await showInCatalog(context, clientId, metadata.name);
  if (metadata.sector !== undefined) await ensureSalt(context);
  return shownClient({ ...client, metadata }, context.request.mountUrl, { secret });
}

/**
 * A method without a secret removes it, and a method with one creates it. A secret that is a signing key is
 * stored encrypted.
 */
function secretChange(
  context: Db,
  client: Client,
  metadata: ClientMetadata,
  given: string | undefined,
): { change: Partial<ClientRow>; secret?: string } {
  if (metadata.authMethod === "none") return { change: keptSecret(context, metadata, undefined) };
  if (client.secretDigest === undefined) {
    const secret = context.ids.secret(SECRET_LENGTH);
    return { change: keptSecret(context, metadata, secret), secret };
  }
  if (metadata.idTokenAlgorithm !== "HS256") return { change: { secret_sealed: null } };
  if (client.secretSealed !== undefined) return { change: {} };
  if (given === undefined)
    throw errors.invalidClientMetadata(
      "client_secret: send the present secret as well, because HS256 uses it as its key.",
      { target: "client_secret" },
    );
  return { change: keptSecret(context, metadata, given) };
}

/** The old secret stops working at once. */
export async function rotateSecret(context: Db, clientId: string): Promise<ClientAnswer> {
  const client = await getOwn(context, clientId);
  if (client.metadata.authMethod === "none")
    throw errors.invalidClientMetadata("This client has no secret: it is public.");
  const secret = context.ids.secret(SECRET_LENGTH);
  await store.updateClientRow(context.db, clientId, {
    ...keptSecret(context, client.metadata, secret),
    updated_at: context.clock.nowMs(),
  });
  return shownClient(client, context.request.mountUrl, { secret });
}
