/**
 * A program of somebody else's is reached by path under this host's name, and under a host name of its own, which for
 * browsers is an origin of its own. Where that name leads to this machine, browsers are sent there.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type Config, isLocalName } from "../config/config.ts";

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LOCAL_END = ".localhost";
/** Said by proxies: then the name in the Host header need not be the one that the browser knows. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"] as const;

/** Without port and closing dot, in small letters. */
export function nameOfHost(host: string): string {
  const port = host.lastIndexOf(":");
  const name = port > host.lastIndexOf("]") ? host.slice(0, port) : host;
  return (name.endsWith(".") ? name.slice(0, -1) : name).toLowerCase();
}

/** Browsers alone say where a request comes from; programs do not, and no script can. */
export const isFromBrowser = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers["sec-fetch-site"] !== undefined;

/** Whether a browser opens it, be it as a page, in a frame or by a form. */
export function isNavigation({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const mode = headers["sec-fetch-mode"];
  if (mode !== undefined) return mode === "navigate";
  return isFromBrowser({ headers }) && headers.accept?.includes("text/html") === true;
}

type Program = { readonly target: string; readonly hostLabel: string };
/** `http://hello.functions.localhost:4020`; undefined where the caller would not find this server there. */
export function ownOrigin(
  { target, hostLabel }: Program,
  { scheme, headers }: { readonly scheme: string; readonly headers: IncomingHttpHeaders },
  { publicUrl, trustedProxies }: Pick<Config, "publicUrl" | "trustedProxies">,
): string | undefined {
  const { host = "" } = headers;
  if (publicUrl !== undefined || trustedProxies.length > 0 || !LABEL.test(target)) return undefined;
  if (!isLocalName(nameOfHost(host)) || FORWARDED.some((name) => headers[name] !== undefined))
    return undefined;
  const port = /:\d+$/.exec(host)?.[0] ?? "";
  return `${scheme}://${target}.${hostLabel}${LOCAL_END}${port}`;
}
