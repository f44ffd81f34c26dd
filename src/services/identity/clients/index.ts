/**
 * Public interface of `clients`: the registered applications, and the rules that follow from their metadata.
 */
export { backupSource } from "./backup-source.ts";
export { CLIENT_TYPE } from "./catalog-entry.ts";
export {
  findClient,
  findClientName,
  isSecretOf,
  noteGuesses,
} from "./client.ts";
export { consoleViews } from "./console.ts";
export { type Client, type ClientCard, cardOf } from "./domain/client.ts";
export {
  AUTH_METHODS,
  GRANT_TYPES,
  ID_TOKEN_ALGORITHMS,
  type IdTokenAlgorithm,
  mayRedirectTo,
  needsConfirmation,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  SUBJECT_TYPES,
} from "./domain/metadata.ts";
export { originOf, originsOf } from "./domain/redirect-uris.ts";
export {
  carriesTokens,
  defaultResponseMode,
  normalResponseType,
  RESPONSE_MODES,
  RESPONSE_TYPES,
  type ResponseMode,
} from "./domain/response-types.ts";
export {
  grantableScopes,
  IDENTITY_SCOPES,
  type IdentityScope,
  neutralScope,
  OPENID,
  readScopes,
} from "./domain/scopes.ts";
export { errors as registrationErrors } from "./errors.ts";
export { createClients, migrations as clientMigrations } from "./migrations.ts";
export { ClientId, operations as clientOperations } from "./operations/clients.ts";
export {
  createClient,
  getClient,
  listClients,
  REGISTRATION_SCOPES,
  rotateSecret,
  updateClient,
} from "./operations/registry.ts";
export { REGISTRATION, removeClient } from "./own-client.ts";
export { seed } from "./seed.ts";
export { findClientRowByRegistration } from "./store.ts";
export { isPairwise, sessionNameFor, subjectFor } from "./subjects.ts";
export { type Tables as ClientTables, tables as clientTables } from "./tables.ts";
export { type ClientAnswer, ClientBody } from "./wire/index.ts";
