/** Public pages of events that keep themselves up to date. */
export { KeptPages } from "./kept-pages.ts";
export { renderLivePage, renderNoEventPage } from "./page.ts";
export { Watchers } from "./watchers.ts";
