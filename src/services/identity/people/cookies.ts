/** Cookies: read from a request, and written with the flags that each needs. */
import type { Context } from "#kernel/operation";

type Asked = Pick<Context, "request">;

export const isSecure = ({ request }: Asked): boolean => request.mountUrl.startsWith("https:");
/** The part of the mount's address after the host; empty at the root of a host name of its own. */
export const basePathOf = ({ request }: Asked): string => {
  const path = new URL(request.mountUrl).pathname;
  return path === "/" ? "" : path;
};

export function findCookie(
  { request }: { readonly request: Pick<Context["request"], "headers"> },
  name: string,
): string | undefined {
  const header = request.headers.cookie;
  if (typeof header !== "string") return undefined;
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

export type CookieOptions = {
  /** Absent: until the browser is closed. */
  readonly maxAgeSeconds?: number;
  /** Only for what a script must see. */
  readonly readableByScript?: boolean;
  /** Only sent to addresses below this one, which is itself below the mount. */
  readonly below?: string;
  /** `embedded`: also sent to frames inside other sites, where the connection is secure. */
  readonly sites: "own" | "linked" | "embedded";
};

/**
 * Browsers take `SameSite=None` and `__Host-` over a secure connection only. A `__Host-` cookie cannot be planted by a
 * neighbouring host name; it must have the path `/`.
 */
const hostName = (context: Asked, name: string): string => (isSecure(context) ? `__Host-${name}` : name);

function write(
  context: Asked,
  spelt: string,
  value: string,
  { maxAgeSeconds, readableByScript, below = "", sites }: CookieOptions,
): string {
  const secure = isSecure(context);
  const sameSite = sites === "own" ? "Strict" : sites === "linked" || !secure ? "Lax" : "None";
  return [
    `${spelt}=${value}`,
    `Path=${spelt.startsWith("__Host-") ? "/" : `${basePathOf(context)}${below}` || "/"}`,
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
    ...(readableByScript ? [] : ["HttpOnly"]),
    `SameSite=${sameSite}`,
    ...(secure ? ["Secure"] : []),
  ].join("; ");
}

/** A cookie under exactly this name, for readers outside people. */
export const openCookie = write;
export const clearOpenCookie = (context: Asked, name: string, options: CookieOptions): string =>
  write(context, name, "", { ...options, maxAgeSeconds: 0 });

/** A cookie of people's own, with `__Host-` where possible. */
export const hostCookie = (context: Asked, name: string, value: string, options: CookieOptions): string =>
  write(context, hostName(context, name), value, options);
export const findHostCookie = (context: Asked, name: string): string | undefined =>
  findCookie(context, hostName(context, name));
