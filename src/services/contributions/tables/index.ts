/** The tables of this service, as rows. */
import { type CoreTables, coreTables } from "./core.ts";
import { type ExportTables, exportTables } from "./exports.ts";
import { type MediaTables, mediaTables } from "./media.ts";
import { type NotificationTables, notificationTables } from "./notifications.ts";

export type * from "./core.ts";
export type * from "./exports.ts";
export type * from "./media.ts";
export type * from "./notifications.ts";

export type Tables = CoreTables & MediaTables & ExportTables & NotificationTables;
export const tables: readonly (keyof Tables)[] = [
  ...coreTables,
  ...mediaTables,
  ...exportTables,
  ...notificationTables,
];
