/** Where all resource managers answer. */
export const MANAGEMENT_MOUNT = "/management";
/** The same below the root of the host, for clients that keep no prefix. */
export const MANAGEMENT_ROOTS = ["/subscriptions", "/providers"] as const;
/** The version of the resource manager's own interface that its descriptions name. */
export const MANAGER_VERSION = "2021-04-01";
