/** The tables that searching, scores and recommendations keep, as rows. */

// biome-ignore lint/complexity/noBannedTypes: none yet.
export type SearchTables = {};
export const searchTables: readonly (keyof SearchTables)[] = [];
