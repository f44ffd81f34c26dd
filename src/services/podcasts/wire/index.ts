/** Shapes exactly as clients spell them, and rows in these shapes. */
export * from "./playlists.ts";
export * from "./search.ts";
export * from "./shapes.ts";
export * from "./views.ts";
