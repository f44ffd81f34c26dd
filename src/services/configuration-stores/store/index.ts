/** All SQL of configuration stores. */

export type { ValueFilter } from "./conditions.ts";
export * from "./content.ts";
export * from "./key-values.ts";
export * from "./revisions.ts";
export { keyValueOf, tagsOf, tagsText } from "./rows.ts";
export * from "./snapshots.ts";
export * from "./stores.ts";
