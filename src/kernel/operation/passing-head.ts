/** What of a request's head, and of its answer's, is handed on, and what ends here. */
import type { IncomingMessage } from "node:http";

/** Between two neighbours only. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "host",
]);
/** Whatever else the sender says to be meant for its neighbour. */
export function namedByConnection({ connection }: IncomingMessage["headers"]): readonly string[] {
  return connection === undefined || connection === "keep-alive"
    ? []
    : connection.split(",").map((name) => name.trim().toLowerCase());
}
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

const OWN_PREFIX = "x-medley-";
/** Those that this server sets and reads: of the console, and of the identity service. */
const OWN_COOKIE = /^(?:__(?:host|secure)-)?(?:medley|identity)_/i;
/**
 * What an answer can say that concerns more than itself: other programs' cookies and caches, where a service worker rules,
 * how the whole host is reached, and who is told of it. That is not for one program among many to say.
 */
const OF_THE_HOST: ReadonlySet<string> = new Set([
  "accept-ch",
  "alt-svc",
  "clear-site-data",
  "nel",
  "origin-agent-cluster",
  "public-key-pins",
  "report-to",
  "reporting-endpoints",
  "service-worker-allowed",
  "set-cookie2",
  "strict-transport-security",
]);

/** Names and values in turn, in their order, without what ends here and without cookies that this server reads. */
export function handedHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = namedByConnection(headers);
  const handed: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || lower.startsWith(OWN_PREFIX) || named.includes(lower)) continue;
    const value = rawHeaders[index + 1] as string;
    const kept = lower === "cookie" ? withoutOwnCookies(value) : value;
    if (kept !== "") handed.push(name, kept);
    else if (value === "") handed.push(name, value);
  }
  return handed;
}
const nameOfCookie = (pair: string): string => pair.slice(0, pair.indexOf("=") + 1).trim();
function withoutOwnCookies(value: string): string {
  if (!/medley_|identity_/i.test(value)) return value;
  return value
    .split(";")
    .filter((pair) => !OWN_COOKIE.test(nameOfCookie(pair)))
    .join(";")
    .trim();
}

/** Whether a program that was asked for an answer may have it carry this. A cookie without a name is sent back as if its value held one. */
export function isHandedBack(name: string, value: string, mayKeepCookies: boolean): boolean {
  const lower = name.toLowerCase();
  if (lower !== "set-cookie") return !OF_THE_HOST.has(lower);
  if (!mayKeepCookies) return false;
  const [pair = ""] = value.split(";", 1);
  const cookie = nameOfCookie(pair);
  return cookie.length > 1 && !OWN_COOKIE.test(cookie);
}
