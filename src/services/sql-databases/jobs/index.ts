/** Durable work of databases. */
export { autoPauseJob } from "./auto-pause.ts";
