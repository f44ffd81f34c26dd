/** Logs, metrics, recent requests, faults. */
export type { ShownRequest } from "./request-log.ts";
