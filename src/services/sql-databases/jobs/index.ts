/** Jobs of databases. */
export { autoPauseJob } from "./auto-pause.ts";
