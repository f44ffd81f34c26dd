/**
 * Public interface of `access`: users, devices, keys and sessions, applications that act for users, and
 * notifications. Imports documents, cards, payments, requests, money and book.
 */
export { findUserIn, showInCatalog, USER_TYPE, userArnOf } from "./catalog-entry.ts";
export { getDefaultUser } from "./default-user.ts";
export { openEncrypted } from "./domain/encryption.ts";
export { problemIn, translated } from "./domain/languages.ts";
export {
  isInstallationToken,
  isSessionToken,
  mayBeUsersKey,
  openInstallationToken,
} from "./domain/tokens.ts";
export { admitStranger } from "./open-sandbox.ts";
export { issueKey, openUser, requireRoom, type UserKind } from "./open-user.ts";
export { attachmentOperations } from "./operations/attachments.ts";
export { credentialOperations } from "./operations/credentials.ts";
export { factOperations, ServerErrorKept } from "./operations/facts.ts";
export { installationOperations } from "./operations/installations.ts";
export { noteOperations } from "./operations/notes.ts";
export { notificationOperations } from "./operations/notifications.ts";
export { oauthClientOperations } from "./operations/oauth-clients.ts";
export { oauthPageOperations } from "./operations/oauth-pages.ts";
export { userOperations } from "./operations/users.ts";
