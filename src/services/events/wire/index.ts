/** Schemas of the public API, in the neutral spelling of names. */
export * from "./data.ts";
export * from "./definition.ts";
export * from "./names.ts";
export * from "./views.ts";
