/**
 * Which credentials of the caller reach a function or a backend. Credentials that are valid here are removed, and a
 * signed token loses its signature. Anything else is passed on unchanged.
 */
import type { Accounts } from "../auth/accounts.ts";

type Known = Pick<Accounts, "byApiKey" | "byToken" | "findAccessKey" | "standingOf">;
/** Names of headers and parameters that carry a key or a token. */
const TELLING = /(?:key|secret|token|authentication|authorization)$/i;
const AUTHORIZATION = /authorization$/i;
const ACCESS_KEY = /\bcredential=([^/,\s]+)/i;
const BETWEEN_WORDS = /[\s,;"]+/;
/** A credential follows one or two words at most. Each word is looked up. */
const WORDS_MAX = 4;

/** The claims of a signed token may be read. An opaque token has none. */
function withoutSignature(token: string): string | undefined {
  const [head, claims, signature] = token.split(".");
  return signature === undefined ? undefined : `Bearer ${head}.${claims}.SIGNATURE_REMOVED_BY_MEDLEY`;
}
async function handedAuthorization(value: string, accounts: Known): Promise<string | undefined> {
  const [scheme = ""] = value.trim().split(/\s/, 1);
  const given = value.trim().slice(scheme.length).trim();
  const accessKey = ACCESS_KEY.exec(value)?.[1];
  if (accessKey !== undefined) return (await accounts.findAccessKey(accessKey)) ? undefined : value;
  if (scheme.toLowerCase() === "basic") {
    // The password is not checked, so that a backend cannot be used to test it.
    const [username = ""] = Buffer.from(given, "base64").toString("utf8").split(":", 1);
    return (await accounts.standingOf(username)) === "unknown" ? value : undefined;
  }
  const isBearer = scheme.toLowerCase() === "bearer";
  if (isBearer && (await accounts.byToken(given))) return withoutSignature(given);
  return (await holdsOurs(isBearer ? given : value, accounts)) ? undefined : value;
}
async function holdsOurs(value: string, accounts: Known): Promise<boolean> {
  const words = value.split(BETWEEN_WORDS).filter((word) => word !== "");
  for (const word of words.slice(0, WORDS_MAX))
    if ((await accounts.byApiKey(word)) ?? (await accounts.byToken(word))) return true;
  return false;
}

/**
 * `headers`: names and values in turn. `known`: a key that the service itself issued, which opens only that
 * service.
 */
export async function withoutOwnCredentials(
  headers: readonly string[],
  accounts: Known,
  known?: string,
): Promise<string[]> {
  const handed: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    const value = headers[index + 1] as string;
    if (AUTHORIZATION.test(name)) {
      const kept = await handedAuthorization(value, accounts);
      if (kept !== undefined) handed.push(name, kept);
    } else if (value === known || !TELLING.test(name) || !(await holdsOurs(value, accounts)))
      handed.push(name, value);
  }
  return handed;
}

const decoded = (text: string): string => new URLSearchParams(`x=${text}`).get("x") ?? "";
/** The address without parameters that hold a credential of ours. */
export async function urlWithoutOwnCredentials(
  url: string,
  accounts: Known,
  known?: string,
): Promise<string> {
  const mark = url.indexOf("?");
  if (mark < 0) return url;
  const kept: string[] = [];
  for (const pair of url.slice(mark + 1).split("&")) {
    const equals = pair.indexOf("=");
    const value = equals < 0 ? "" : decoded(pair.slice(equals + 1));
    const isTelling = value !== "" && value !== known && TELLING.test(decoded(pair.slice(0, equals)).trim());
    if (!isTelling || !(await holdsOurs(value, accounts))) kept.push(pair);
  }
  return kept.length === 0 ? url.slice(0, mark) : `${url.slice(0, mark)}?${kept.join("&")}`;
}
