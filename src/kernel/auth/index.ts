/** Accounts, credentials, policies. */

export type { KnownAccessKey } from "./accounts.ts";
export * as accountsStore from "./accounts-store.ts";
export { ACKNOWLEDGE_OWN, ADMINISTER, IDENTIFY, READ_OWN } from "./built-in.ts";
export type { CredentialKind, NewCredential } from "./credential-maker.ts";
export {
  type AccountFile,
  AccountId,
  AccountShape,
  type CredentialsFile,
  type EndUser,
  freshCredentials,
  PolicyShape,
  parseCredentialsFile,
  type RoleFile,
} from "./credentials-file.ts";
export { type Decision, explain } from "./explain.ts";
export { isThisMachine, networkOf } from "./guessing.ts";
export { LENT } from "./lent.ts";
export { matchesAction, type Policy } from "./policies.ts";
export { digestOf, hashNamedPassword, hashPassword, sameText, verifyPassword } from "./secrets.ts";
export * as sessionsStore from "./sessions-store.ts";
