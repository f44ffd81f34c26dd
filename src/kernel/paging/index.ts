/** Keyset cursors. */
export { cursorOf, type Page, pageOf, readCursor } from "./paging.ts";
