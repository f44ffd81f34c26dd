/** Names of secrets: those that an operation declares, and those that are telling by themselves. */
import type { SecretParts } from "../operation/secrets.ts";

const SPACERS = /[-_ ]/g;
const TELLING =
  /password|passwd|passphrase|secret|token|apikey|accesskey|privatekey|sharedkey|accountkey|connectionstring|authorization|signature|credential|assertion|cookie|csrf/;
const TELLING_ALONE: ReadonlySet<string> = new Set(["code", "key", "pfx", "pwd", "otp", "sig"]);

export type SecretName = (name: string) => boolean;

const bare = (name: string): string => name.toLowerCase().replace(SPACERS, "");

/** The last part of a path such as `user.key`. */
const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

export const isSecretName: SecretName = (name) => {
  const plain = bare(name);
  return TELLING.test(plain) || TELLING_ALONE.has(lastPart(plain));
};
/** Names whose numbers are no secrets: an error has a `code` as well. */
export const isWeakName: SecretName = (name) => TELLING_ALONE.has(lastPart(bare(name)));
/** In a header every kind of key is a credential. */
export const isSecretHeader: SecretName = (name) =>
  isSecretName(name) || /key$|client-authentication/i.test(name);
/** In an address every kind of code is a secret. */
export const isSecretParameter: SecretName = (name) => {
  const plain = bare(name);
  return TELLING.test(plain) || plain.includes("code") || plain === "sig" || plain === "subscriptionkey";
};

/** Also the names that the operation declares. */
export function orDeclared(isSecret: SecretName, declared: SecretParts | undefined): SecretName {
  if (!declared || declared.members.size === 0) return isSecret;
  const names = new Set([...declared.members].map(bare));
  return (name) => isSecret(name) || names.has(lastPart(bare(name)));
}
