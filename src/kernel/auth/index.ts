/** Accounts, credentials, policies. */
export {
  ACKNOWLEDGE_OWN,
  ADMINISTER,
  type CredentialKind,
  type NewCredential,
  READ_OWN,
} from "./accounts.ts";
export * as accountsStore from "./accounts-store.ts";
export {
  type AccountFile,
  AccountId,
  AccountShape,
  type CredentialsFile,
  CredentialsFileError,
  type EndUser,
  freshCredentials,
  parseCredentialsFile,
} from "./credentials-file.ts";
export { networkOf } from "./guessing.ts";
export { LENT } from "./lent.ts";
export { matchesAction, type Policy } from "./policies.ts";
export { digestOf, hashPassword, sameText, verifyPassword } from "./secrets.ts";
export * as sessionsStore from "./sessions-store.ts";
