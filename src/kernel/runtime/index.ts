/** One running instance. */
export { Kernel } from "./kernel.ts";
export type { KernelTables } from "./tables.ts";
export { type Journey, type JourneyProgress, TimeTravel } from "./time-travel.ts";
