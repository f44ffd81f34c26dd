/** Cookies: read from a request, and written with the flags that each needs. */
import type { Context } from "#kernel/operation";
import { cookiesOf } from "#kernel/protocols";

const KINDS_MAX = 2;

type Asked = Pick<Context, "request">;

export const isSecure = ({ request }: Asked): boolean => request.mountUrl.startsWith("https:");
/** The path of the mount's address; empty if the service has its own host name. */
export const basePathOf = ({ request }: Asked): string => {
  const path = new URL(request.mountUrl).pathname;
  return path === "/" ? "" : path;
};

type Headed = { readonly request: Pick<Context["request"], "headers"> };

export const findCookie = (asked: Headed, name: string): string | undefined =>
  cookiesOf(asked.request, name)[0];

export type CookieOptions = {
  /** Absent: until the browser is closed. */
  readonly maxAgeSeconds?: number;
  /** Only for values that a script must read. */
  readonly readableByScript?: boolean;
  /** Only sent to addresses below this one, which is itself below the mount. */
  readonly below?: string;
  /** `embedded`: also sent to frames inside other sites, where the connection is secure and the browser lets it. */
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

/**
 * Many browsers block third-party cookies in a frame unless they are partitioned. Inside a frame both kinds are set,
 * and the browser returns the kind that it accepts.
 */
function writeAll(context: Asked, spelt: string, value: string, options: CookieOptions): readonly string[] {
  const cookie = write(context, spelt, value, options);
  const isFramed = context.request.headers["sec-fetch-dest"] === "iframe";
  return options.sites === "embedded" && isSecure(context) && isFramed
    ? [cookie, `${cookie}; Partitioned`]
    : [cookie];
}

/** A cookie under exactly this name, for readers outside people. */
export const openCookie = writeAll;
export const clearOpenCookie = (context: Asked, name: string, options: CookieOptions): readonly string[] =>
  writeAll(context, name, "", { ...options, maxAgeSeconds: 0 });

/** A cookie of people's own, with `__Host-` where possible. */
export const hostCookie = (
  context: Asked,
  name: string,
  value: string,
  options: CookieOptions,
): readonly string[] => writeAll(context, hostName(context, name), value, options);
/** More than one only inside frames. On a connection that is not secure a neighbour could have added any but the first. */
export const listHostCookies = (context: Asked, name: string): readonly string[] =>
  cookiesOf(context.request, hostName(context, name)).slice(0, isSecure(context) ? KINDS_MAX : 1);
