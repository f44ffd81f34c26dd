/** The tables of this service, as rows. */
import { type CoreTables, coreTables } from "./core.ts";

export type * from "./core.ts";

export type Tables = CoreTables;
export const tables: readonly (keyof Tables)[] = [...coreTables];
