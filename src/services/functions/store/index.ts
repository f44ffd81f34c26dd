/** All SQL of this service. */
export * from "./functions.ts";
export * from "./logs.ts";
export * from "./objects.ts";
export * from "./operations.ts";
export * from "./revisions.ts";
export * from "./secrets.ts";
