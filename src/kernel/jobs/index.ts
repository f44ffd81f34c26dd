/** Durable work. */
export { Jobs, type RanJob } from "./queue.ts";
export * as jobsStore from "./queue-store.ts";
