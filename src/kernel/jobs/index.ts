/** The durable job queue. */
export type { RanJob } from "./queue.ts";
export * as jobsStore from "./queue-store.ts";
