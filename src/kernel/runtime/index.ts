/** One running instance. */
export { inTransaction, WorkContext } from "./context.ts";
export { Kernel } from "./kernel.ts";
export { kernelMigrations } from "./migrations.ts";
export { accountTables, type KernelTables, sharedTables } from "./tables.ts";
export { type Journey, TimeTravel } from "./time-travel.ts";
