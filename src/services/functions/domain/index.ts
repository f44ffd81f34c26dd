/** The rules of functions. */
export * from "./amounts.ts";
export * from "./events.ts";
export * from "./function.ts";
export * from "./ingress.ts";
export * from "./list-filter.ts";
export * from "./locations.ts";
export * from "./names.ts";
export * from "./operation-filter.ts";
export * from "./order.ts";
export * from "./policy.ts";
export * from "./roles.ts";
export * from "./runtimes.ts";
export * from "./traffic.ts";
export * from "./update-mask.ts";
export * from "./upgrade.ts";
