/** All SQL of this service, and its reads from the resource catalogue. */

export * from "./announced-members.ts";
export * from "./evaluate.ts";
export * from "./group-lists.ts";
export * from "./groups.ts";
export * from "./members.ts";
export * from "./overview.ts";
export * from "./quota.ts";
export * from "./settings.ts";
