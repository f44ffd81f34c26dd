/** Keyset pages and their tokens. */
export type { Page, PageRequest } from "./pages.ts";
