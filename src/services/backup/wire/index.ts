/** Shapes, spelt as clients spell them. */
export * from "./audit.ts";
export * from "./holds.ts";
export * from "./indexes.ts";
export * from "./names.ts";
export * from "./plans.ts";
export * from "./requests.ts";
export * from "./restore-testing.ts";
export * from "./storage.ts";
