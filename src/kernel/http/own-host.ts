/**
 * A program of another person is reachable by path under this host, and under its own host name, which is a
 * separate origin for browsers. Browsers are redirected to that name if it leads to this machine.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type Config, isLocalName } from "../config/config.ts";

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LOCAL_END = ".localhost";
/** Headers of proxies. Behind one, the Host header may differ from the name that the browser uses. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"] as const;

/** Without port and final dot, in lower case. */
export function nameOfHost(host: string): string {
  const port = host.lastIndexOf(":");
  const name = port > host.lastIndexOf("]") ? host.slice(0, port) : host;
  return (name.endsWith(".") ? name.slice(0, -1) : name).toLowerCase();
}

/** Only browsers send these headers. Programs do not, and scripts cannot. */
export const isFromBrowser = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers["sec-fetch-site"] !== undefined;

/** Only then an origin of its own matters. */
export const mayBeBrowser = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  isFromBrowser({ headers }) || headers["sec-fetch-mode"] !== undefined;

/** Whether a browser opens it as a page, in a frame or by a form. */
export function isNavigation({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const mode = headers["sec-fetch-mode"];
  if (mode !== undefined) return mode === "navigate";
  return isFromBrowser({ headers }) && headers.accept?.includes("text/html") === true;
}

type Program = { readonly target: string; readonly hostLabel: string };
/** `http://hello.functions.localhost:4020`; undefined if the caller would not reach this server there. */
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
