/** Where a store answers, as seen from the address that its owner uses. */
import type { Context } from "#kernel/operation";

export const DATA_MOUNT = "/configuration";

const OWN_HOST = /^[a-z0-9-]+\.localhost(?=:|$)/i;

/** On a host of a mount's own (`management.localhost`) the stores answer on the neighbouring one. */
function endpointsBeside(mountUrl: string): string {
  if (mountUrl === "") return DATA_MOUNT;
  const { origin, protocol, host } = new URL(mountUrl);
  return OWN_HOST.test(host)
    ? `${protocol}//${host.replace(OWN_HOST, `${DATA_MOUNT.slice(1)}.localhost`)}`
    : `${origin}${DATA_MOUNT}`;
}

/** Requests mostly come by the same address as the one before. */
let last = { mountUrl: "", endpoints: endpointsBeside("") };

export function endpointOf({ request: { mountUrl } }: Context, name: string): string {
  if (mountUrl !== last.mountUrl) last = { mountUrl, endpoints: endpointsBeside(mountUrl) };
  return `${last.endpoints}/${name}`;
}
