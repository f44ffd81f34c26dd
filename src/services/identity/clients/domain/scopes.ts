/** Scopes: which there are, how they are spelt, and which a client may be given. */
import { makersScopes, SCOPE_MARKS } from "./makers-spelling.ts";

export const OPENID = "openid";
/** The neutral names. */
export const IDENTITY_SCOPES = [
  OPENID,
  "profile",
  "email",
  "phone",
  "address",
  "vendor:name",
  "vendor:location",
  "vendor:push",
] as const;
export type IdentityScope = (typeof IDENTITY_SCOPES)[number];
const identityScopes: ReadonlySet<string> = new Set(IDENTITY_SCOPES);

/** `aq:name` is `vendor:name`, and `oidc` is `openid`. Neutral names stay unchanged. */
export const neutralScope = (scope: string): string => makersScopes[scope] ?? scope;
export const isIdentityScope = (scope: string): boolean => identityScopes.has(neutralScope(scope));

/** Keeps the caller's spelling, drops marks and repetitions. `oidc` becomes `openid`, which every library looks for. */
export function readScopes(text: string): string[] {
  const words = text.split(" ").filter((word) => word !== "");
  const plain = words.map((word) => word.replace(SCOPE_MARKS, ""));
  return [...new Set(plain.map((word) => (neutralScope(word) === OPENID ? OPENID : word)))];
}

/** `braille:*`, `Vendor.Sql/servers/read`. */
const PERMISSION = /^(?:\*|[A-Za-z][A-Za-z0-9.-]*(?:[:/][A-Za-z0-9.*?-]+)+)$/;
export const isPermission = (scope: string): boolean => PERMISSION.test(scope);
/** The permissions in a list of scopes. */
export const permissionsOf = (text: string): string[] =>
  readScopes(text).filter((scope) => !isIdentityScope(scope));

/** Unknown scopes are ignored, as the standard advises; permissions count only where the client was given them. */
export function grantableScopes(asked: readonly string[], permissions: readonly string[]): string[] {
  return asked.filter((scope) => isIdentityScope(scope) || permissions.includes(scope));
}
