/** Schemas of the public API, and conversion of rows to them. */
export * from "./playlists.ts";
export * from "./search.ts";
export * from "./shapes.ts";
export * from "./views.ts";
