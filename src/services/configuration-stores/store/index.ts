/** All SQL of configuration stores. */
export type { ValueFilter } from "./conditions.ts";
export * from "./key-values.ts";
export * from "./revisions.ts";
export * from "./snapshots.ts";
export * from "./stores.ts";
export {
  type AccessKeyRow,
  type ContentRow,
  type Db,
  keyValueOf,
  type RevisionRow,
  type SnapshotItemRow,
  type SnapshotRow,
  type StoreRow,
  type Tables,
  tagsOf,
  tagsText,
  type ValueRow,
} from "./tables.ts";
