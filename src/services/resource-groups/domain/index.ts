/** The rules of resource groups: no clock, SQL or HTTP. */
export * from "./configuration.ts";
export * from "./events.ts";
export * from "./group.ts";
export * from "./makers-events.ts";
export * from "./members.ts";
export * from "./query.ts";
export * from "./stacks.ts";
export * from "./supported-types.ts";
export * from "./tags.ts";
