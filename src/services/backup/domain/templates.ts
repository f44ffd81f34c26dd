/** Plans to begin with. */
import type { GivenPlan, GivenRule } from "./plan.ts";

export type PlanTemplate = { readonly id: string; readonly plan: GivenPlan };

const daily = (name: string, deleteAfterDays: number): GivenRule => ({
  name,
  vaultName: "Default",
  lifecycle: { deleteAfterDays },
});
const monthly = (deleteAfterDays: number, moveToColdStorageAfterDays?: number): GivenRule => ({
  name: "Monthly",
  vaultName: "Default",
  expression: "cron(0 5 1 * ? *)",
  lifecycle: {
    deleteAfterDays,
    ...(moveToColdStorageAfterDays !== undefined && { moveToColdStorageAfterDays }),
  },
});
const weekly: GivenRule = {
  name: "Weekly",
  vaultName: "Default",
  expression: "cron(0 5 ? * 7 *)",
  lifecycle: { deleteAfterDays: 90 },
};

const templateOf = (id: string, name: string, rules: readonly GivenRule[]): PlanTemplate => ({
  id,
  plan: { name, rules },
});
export const planTemplates: readonly PlanTemplate[] = [
  templateOf("87c0c1ef-254d-4180-8fef-2e76a2c38aaa", "Daily-35day-Retention", [daily("DailyBackups", 35)]),
  templateOf("c0b8e3de-1d29-4a11-9d2c-1f4d1a6f5b01", "Daily-Monthly-1yr-Retention", [
    daily("DailyBackups", 35),
    monthly(365, 30),
  ]),
  templateOf("c0b8e3de-1d29-4a11-9d2c-1f4d1a6f5b02", "Daily-Monthly-5yr-Retention", [
    daily("DailyBackups", 35),
    monthly(1825, 90),
  ]),
  templateOf("c0b8e3de-1d29-4a11-9d2c-1f4d1a6f5b03", "Daily-Monthly-7yr-Retention", [
    daily("DailyBackups", 35),
    monthly(2555, 90),
  ]),
  templateOf("c0b8e3de-1d29-4a11-9d2c-1f4d1a6f5b04", "Daily-Weekly-Monthly-5yr-Retention", [
    daily("DailyBackups", 35),
    weekly,
    monthly(1825, 90),
  ]),
  templateOf("c0b8e3de-1d29-4a11-9d2c-1f4d1a6f5b05", "Daily-Weekly-Monthly-7yr-Retention", [
    daily("DailyBackups", 35),
    weekly,
    monthly(2555, 90),
  ]),
];
