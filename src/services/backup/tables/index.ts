/** The tables of this service, as rows. */
import { type PlanTables, planTables } from "./plans.ts";
import { type StorageTables, storageTables } from "./storage.ts";

export * from "./plans.ts";
export * from "./storage.ts";

export type Tables = StorageTables & PlanTables;
export const tables: readonly (keyof Tables)[] = [...storageTables, ...planTables];
