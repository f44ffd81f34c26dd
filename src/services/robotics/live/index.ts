/** Public event pages with live updates. */
export { KeptPages } from "./kept-pages.ts";
export { renderLivePage, renderNoEventPage } from "./page.ts";
export { Watchers } from "./watchers.ts";
