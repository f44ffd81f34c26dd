/** Endpoint URL of a store, from the point of view of its owner or caller. */
import type { Context } from "#kernel/operation";

export const DATA_MOUNT = "/configuration";

const DATA_HOST = `${DATA_MOUNT.slice(1)}.localhost`;
const HOST_OF_A_MOUNT = /^[a-z0-9-]+\.localhost(?=:|$)/i;

/**
 * A path-style endpoint stays on the host that the caller used. Callers of `management.localhost` can reach
 * sibling host names.
 */
function endpointPattern(mountUrl: string): readonly [before: string, after: string] {
  if (mountUrl === "") return [`${DATA_MOUNT}/`, ""];
  const { origin, protocol, host } = new URL(mountUrl);
  return HOST_OF_A_MOUNT.test(host)
    ? [`${protocol}//`, `.${host.replace(HOST_OF_A_MOUNT, DATA_HOST).toLowerCase()}`]
    : [`${origin}${DATA_MOUNT}/`, ""];
}

/** Caches the last pattern, because consecutive requests usually have the same base URL. */
let last = { mountUrl: "", pattern: endpointPattern("") };

/** Endpoint for the owner, who calls the management API. */
export function endpointOf({ request: { mountUrl } }: Context, name: string): string {
  if (mountUrl !== last.mountUrl) last = { mountUrl, pattern: endpointPattern(mountUrl) };
  const [before, after] = last.pattern;
  return `${before}${after === "" ? name : name.toLowerCase()}${after}`;
}

/** Endpoint for a caller of the store. */
export function calledEndpointOf({ request: { mountUrl } }: Context, name: string): string {
  const { hostname } = new URL(mountUrl);
  return hostname === `${name.toLowerCase()}.${DATA_HOST}` ? mountUrl : `${mountUrl}/${name}`;
}

const PATH_BEFORE = new RegExp(`^(?:${DATA_MOUNT})?/([^/]*)(?=/)`, "i");
/** Path prefix of the store's endpoint. Empty for host-style endpoints. */
export const endpointPathOf = (path: string, name: string): string => {
  const [before = "", segment = ""] = PATH_BEFORE.exec(path) ?? [];
  return segment.toLowerCase() === name.toLowerCase() ? before : "";
};
