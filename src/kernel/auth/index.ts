/** Accounts, credentials, policies. */
export { Accounts, type CredentialKind, type NewCredential } from "./accounts.ts";
export * as accountsStore from "./accounts-store.ts";
export {
  type AccountFile,
  AccountId,
  AccountShape,
  type CredentialsFile,
  CredentialsFileError,
  CredentialsFileShape,
  type EndUser,
  EndUserShape,
  freshCredentials,
  PolicyShape,
  parseCredentialsFile,
} from "./credentials-file.ts";
export { isAllowed, matchesPattern, type Policy } from "./policies.ts";
export { digestOf, hashPassword, SecretBox, sameText, verifyPassword } from "./secrets.ts";
