/** Undeclared names: reported in a Warning header, or refused where the maker refuses them. */

import { kernelErrors } from "../operation/errors.ts";

/** Parameters that clients add to any address: versions, credentials, signatures and answer formats. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  "$alt",
  "$.xgafv",
  "_overload",
  "access_token",
  "alt",
  "api-version",
  "callback",
  "fields",
  "key",
  "oauth_token",
  "prettyPrint",
  "quotaUser",
  "subscription-key",
  "uploadType",
  "upload_protocol",
  "x-id",
]);
export const isEverywhere = (name: string): boolean => EVERYWHERE.has(name) || /^x-amz-/i.test(name);

const NAME_LENGTH_MAX = 100;
/** Printable, and without characters that would end the quoted text. */
const safe = (name: string): string => name.slice(0, NAME_LENGTH_MAX).replace(/[^\x20-\x7e]|["\\]/g, "?");
const SENTENCE_MAX = 1000;

/**
 * Throws if the maker refuses one of them. Nested names are only reported, because makers add such members all the
 * time.
 */
export function refuseUnknown(names: readonly string[], readOnlyNames: ReadonlySet<string>): void {
  const refused = names.find((name) => !/[.[]/.test(name) && !readOnlyNames.has(name));
  if (refused !== undefined)
    throw kernelErrors.invalidInput(`There is no field "${safe(refused)}" here.`, { target: refused });
}
function unknownSentence(names: readonly string[]): string {
  const quoted = names.map(safe).join(", ").slice(0, SENTENCE_MAX);
  return names.length === 1
    ? `${quoted} is not known here and was ignored`
    : `${quoted} are not known here and were ignored`;
}
/** As an HTTP header: 299 is a persistent warning. */
export const unknownWarning = (names: readonly string[]): string => `299 medley "${unknownSentence(names)}"`;
