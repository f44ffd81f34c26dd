/** From where a store may be called: its own setting, and whether a private endpoint leads to it. */
export const NETWORK_ACCESS = ["Enabled", "Disabled"] as const;
export type NetworkAccess = (typeof NETWORK_ACCESS)[number];

/** `open` to all, `private` to callers on private networks and this machine, `closed` to everybody. */
export type StoreNetwork = "open" | "private" | "closed";

/** Left open, a store closes to public networks as soon as a private endpoint is approved. */
export function networkOf(access: NetworkAccess | undefined, hasApprovedEndpoint: boolean): StoreNetwork {
  if (access === "Enabled") return "open";
  if (hasApprovedEndpoint) return "private";
  return access === "Disabled" ? "closed" : "open";
}
