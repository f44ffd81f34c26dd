/** The rules of this service. */
export * from "./arns.ts";
export * from "./controls.ts";
export * from "./hold.ts";
export * from "./lifecycle.ts";
export * from "./plan.ts";
export * from "./policy.ts";
export * from "./published-types.ts";
export * from "./report.ts";
export * from "./restore-testing.ts";
export * from "./roles.ts";
export * from "./schedule.ts";
export * from "./selection.ts";
export * from "./summary.ts";
export * from "./tags.ts";
export * from "./templates.ts";
