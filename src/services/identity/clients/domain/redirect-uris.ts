/** Which addresses an answer may be sent to. */

export type ApplicationType = "web" | "native";

const URI_LENGTH_MAX = 2048;
/** Schemes that run script, read files or leave no origin: never a place for an answer. */
const REFUSED_SCHEMES = new Set([
  "javascript:",
  "data:",
  "vbscript:",
  "file:",
  "blob:",
  "about:",
  "view-source:",
  "filesystem:",
  "ftp:",
  "ws:",
  "wss:",
  "mailto:",
  "tel:",
]);

export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

/** The problem of a redirect address, or undefined. */
export function findRedirectProblem(
  text: string,
  kind: { readonly applicationType: ApplicationType; readonly testMode: boolean },
): string | undefined {
  const general = findGeneralProblem(text);
  if (general !== undefined) return general;
  const { protocol, hostname } = new URL(text);
  if (protocol === "https:") return undefined;
  if (protocol === "http:") {
    return isLoopbackHost(hostname) || kind.testMode
      ? undefined
      : "http is for loopback addresses (or test mode) only; use https";
  }
  if (kind.applicationType !== "native") return "only native applications may use a scheme of their own";
  return protocol.includes(".") && /^[a-z][a-z0-9+.-]*:$/.test(protocol)
    ? undefined
    : "a scheme of one's own must contain a dot, as in com.example.app:/answer";
}

/** An address that we call, or show in a frame: https, or this machine. */
export function findCallbackProblem(text: string): string | undefined {
  const general = findGeneralProblem(text);
  if (general !== undefined) return general;
  const { protocol, hostname } = new URL(text);
  if (protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname))) return undefined;
  return "it must be https, or http on a loopback address";
}

function findGeneralProblem(text: string): string | undefined {
  if (text.length > URI_LENGTH_MAX) return `it is longer than ${URI_LENGTH_MAX} characters`;
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes("\\")) return "it holds characters that must be encoded";
  if (!URL.canParse(text)) return "it is not an absolute URL";
  const { protocol, username, password, hostname } = new URL(text);
  if (REFUSED_SCHEMES.has(protocol)) return `the scheme ${protocol} is refused`;
  if (text.includes("#")) return "it must not have a fragment";
  if (username !== "" || password !== "" || /^[a-z]+:\/\/[^/?]*@/i.test(text))
    return "it must not hold a user name or password";
  if (hostname.includes("*") || hostname.includes("%")) return "wildcards are not supported";
  if (/^https?:/i.test(text) && !/^https?:\/\/[^/]/i.test(text)) return "it is not written as scheme://host";
  return undefined;
}

/** The origin that browsers will name; undefined for schemes that have none. */
export function originOf(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { origin } = new URL(uri);
  return origin === "null" ? undefined : origin;
}
export const originsOf = (uris: readonly string[]): string[] => [
  ...new Set(uris.map(originOf).filter((origin): origin is string => origin !== undefined)),
];
/** The hosts of the addresses. Addresses with a custom scheme have none. */
export const hostsOf = (uris: readonly string[]): string[] => [
  ...new Set(uris.map((uri) => (URL.canParse(uri) ? new URL(uri).hostname : ""))),
];

/** Ordinary links (home page, logo, terms): only http and https. */
export function findLinkProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "it is not an absolute URL";
  const { protocol, username, password } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return "it must be http or https";
  if (username !== "" || password !== "") return "it must not hold a user name or password";
  return undefined;
}
