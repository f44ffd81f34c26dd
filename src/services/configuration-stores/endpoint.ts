/** Where a store answers, as seen from the address that its owner or its caller uses. */
import type { Context } from "#kernel/operation";

export const DATA_MOUNT = "/configuration";

const DATA_HOST = `${DATA_MOUNT.slice(1)}.localhost`;
const HOST_OF_A_MOUNT = /^[a-z0-9-]+\.localhost(?=:|$)/i;

/** A path keeps to a host that the caller has reached; a caller of `management.localhost` can reach its sibling names. */
function endpointPattern(mountUrl: string): readonly [before: string, after: string] {
  if (mountUrl === "") return [`${DATA_MOUNT}/`, ""];
  const { origin, protocol, host } = new URL(mountUrl);
  return HOST_OF_A_MOUNT.test(host)
    ? [`${protocol}//`, `.${host.replace(HOST_OF_A_MOUNT, DATA_HOST).toLowerCase()}`]
    : [`${origin}${DATA_MOUNT}/`, ""];
}

/** Requests mostly come by the same address as the one before. */
let last = { mountUrl: "", pattern: endpointPattern("") };

/** For the owner, who asks the management interface. */
export function endpointOf({ request: { mountUrl } }: Context, name: string): string {
  if (mountUrl !== last.mountUrl) last = { mountUrl, pattern: endpointPattern(mountUrl) };
  const [before, after] = last.pattern;
  return `${before}${after === "" ? name : name.toLowerCase()}${after}`;
}

/** For a caller of the store, who is there already. */
export function calledEndpointOf({ request: { mountUrl } }: Context, name: string): string {
  const { hostname } = new URL(mountUrl);
  return hostname === `${name.toLowerCase()}.${DATA_HOST}` ? mountUrl : `${mountUrl}/${name}`;
}

const PATH_BEFORE = new RegExp(`^(?:${DATA_MOUNT})?/([^/]*)(?=/)`, "i");
/** The part of a called path that belongs to the store's endpoint; empty on a host of its own. */
export const endpointPathOf = (path: string, name: string): string => {
  const [before = "", segment = ""] = PATH_BEFORE.exec(path) ?? [];
  return segment.toLowerCase() === name.toLowerCase() ? before : "";
};
