/** Saving, loading and clearing state. */
export { ARCHIVE_BYTES_MAX } from "./archive.ts";
export { exportState, importState, resetState } from "./state.ts";
export type { StateFilter } from "./tables.ts";
export { migrationSetsOf, newerMigrations } from "./versions.ts";
