/** All SQL of this service. */
export * from "./analyses.ts";
export * from "./endpoints.ts";
export * from "./inputs.ts";
export * from "./instances.ts";
export * from "./logs.ts";
export * from "./messages.ts";
export * from "./models.ts";
