/** Network access of a store, by its setting and its private endpoints. */
export const NETWORK_ACCESS = ["Enabled", "Disabled"] as const;
export type NetworkAccess = (typeof NETWORK_ACCESS)[number];

/** `open`: all callers. `private`: callers on private networks and this machine. `closed`: none. */
export type StoreNetwork = "open" | "private" | "closed";

/** Without a setting, a store closes to public networks when a private endpoint is approved. */
export function networkOf(access: NetworkAccess | undefined, hasApprovedEndpoint: boolean): StoreNetwork {
  if (access === "Enabled") return "open";
  if (hasApprovedEndpoint) return "private";
  return access === "Disabled" ? "closed" : "open";
}
