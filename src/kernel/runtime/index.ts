/** One running instance. */
export type { CalledInside } from "./inner-calls.ts";
export { Kernel } from "./kernel.ts";
export type { KernelTables, SessionRow } from "./tables.ts";
export { type Journey, type JourneyProgress, TimeTravel } from "./time-travel.ts";
export { waitingForDatabase } from "./wait-for-database.ts";
