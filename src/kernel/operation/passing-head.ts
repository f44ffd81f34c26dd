/** Which headers of a request and of its answer are forwarded, and which end here. */
import type { IncomingMessage } from "node:http";

/** Hop-by-hop headers. */
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
/** Further headers that the sender declares as hop-by-hop. */
export function namedByConnection({ connection }: IncomingMessage["headers"]): readonly string[] {
  return connection === undefined || connection === "keep-alive"
    ? []
    : connection.split(",").map((name) => name.trim().toLowerCase());
}
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

const OWN_PREFIX = "x-medley-";
/** Cookies that this server sets and reads: of the console and of the identity service. */
const OWN_COOKIE = /^(?:__(?:host|secure)-)?(?:medley|identity)_/i;
/**
 * Headers of an answer that affect more than the answer: cookies and caches of other programs, the scope of service
 * workers, rules for the whole host, and reporting. One program among many must not set them.
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

/**
 * Names and values in turn, in their order, without headers that end here and without cookies that this server
 * reads.
 */
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

/** Node refuses to write any others, and an error at that moment would end the process. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/**
 * Whether the answer of a program may carry this header. A cookie without a name is sent back as if its value held
 * one.
 */
export function isHandedBack(name: string, value: string, mayKeepCookies: boolean): boolean {
  if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) return false;
  const lower = name.toLowerCase();
  if (lower !== "set-cookie") return !OF_THE_HOST.has(lower);
  if (!mayKeepCookies) return false;
  const [pair = ""] = value.split(";", 1);
  const cookie = nameOfCookie(pair);
  return cookie.length > 1 && !OWN_COOKIE.test(cookie);
}
