/** How a redirect is followed: what the next request keeps of the previous one. */
import type { SecureContext } from "node:tls";
import type { Pins } from "./pins.ts";
import { parseRedirectUrl } from "./target-url.ts";

/** One request of a chain of redirects. */
export type Hop = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Holds the client certificate, if there is one. */
  readonly secureContext: SecureContext | undefined;
  /** The server must have one of these. */
  readonly pins?: Pins | undefined;
};

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-language",
  "content-location",
  "content-type",
  "digest",
]);

/** Names of headers with credentials. A signature is none: a receiver that has moved checks it. */
const CREDENTIAL = /password|secret|token|credential|cookie|authorization|authentication|key$/;

export function isRedirect(status: number, location: string | undefined): location is string {
  return REDIRECT_STATUSES.has(status) && location !== undefined;
}

/**
 * `strangersContext` is for hosts that the caller did not name: no client certificate. Pinned certificates apply to
 * every hop.
 */
export function hopAfterRedirect(
  hop: Hop,
  status: number,
  location: string,
  strangersContext: SecureContext | undefined,
): Hop {
  const url = parseRedirectUrl(location, hop.url);
  const becomesGet =
    (status === 303 && hop.method !== "HEAD") ||
    ((status === 301 || status === 302) && hop.method === "POST");
  const isCrossOrigin = url.origin !== hop.url.origin;
  const isKept = (name: string): boolean =>
    !(becomesGet && BODY_HEADERS.has(name)) && !(isCrossOrigin && CREDENTIAL.test(name));
  return {
    method: becomesGet ? "GET" : hop.method,
    url,
    headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => isKept(name))),
    body: becomesGet ? undefined : hop.body,
    secureContext: isCrossOrigin && hop.pins === undefined ? strangersContext : hop.secureContext,
    pins: hop.pins,
  };
}
