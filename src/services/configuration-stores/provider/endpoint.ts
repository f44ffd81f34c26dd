/** Where a store answers, as seen from the address that its owner uses. */
import type { Context } from "#kernel/operation";

export const DATA_MOUNT = "/configuration";

/** On a host of a mount's own (`management.localhost`) the store answers on the neighbouring one. */
export function endpointOf({ request }: Context, name: string): string {
  if (request.mountUrl === "") return `${DATA_MOUNT}/${name}`;
  const { origin, protocol, host } = new URL(request.mountUrl);
  const ownHost = /^[a-z0-9-]+\.localhost(?=:|$)/i;
  return ownHost.test(host)
    ? `${protocol}//${host.replace(ownHost, `${DATA_MOUNT.slice(1)}.localhost`)}/${name}`
    : `${origin}${DATA_MOUNT}/${name}`;
}
