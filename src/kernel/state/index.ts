/** Saving, loading and clearing state. */
export { exportState, importState, migrationSetsOf, resetState } from "./state.ts";
export type { StateFilter } from "./tables.ts";
