/** Saving, loading and clearing state. */
export { ARCHIVE_BYTES_MAX } from "./archive.ts";
export { resetState } from "./clear.ts";
export { exportState } from "./export.ts";
export { importState } from "./import.ts";
export { previewImport, previewReset, type ServiceChange } from "./preview.ts";
export { deleteSnapshot, findSnapshot, listSnapshots, takeSnapshot, withSnapshot } from "./snapshots.ts";
export type { StateFilter } from "./tables.ts";
export { migrationSetsOf, newerMigrations } from "./versions.ts";
