/** Durable work of this service. */
import type { AnyJob } from "#kernel/operation";
import { extendPoint } from "./continuous.ts";
import { deletionJobs } from "./delete-point.ts";
import { forgetPlans } from "./forget-plans.ts";
import { evaluateFramework } from "./frameworks.ts";
import { holdStep } from "./holds.ts";
import { indexPoint } from "./index-point.ts";
import { coolPoint, pointLifecycle } from "./lifecycle.ts";
import { planOccurrence } from "./plan-schedule.ts";
import { dailyReport, forgetReport, writeReport } from "./reports.ts";
import { cleanUp } from "./restore-tested.ts";
import { startTest, testingOccurrence } from "./restore-testing.ts";
import { runBackup } from "./run-backup.ts";
import { runCopy } from "./run-copy.ts";
import { runParent } from "./run-parent.ts";
import { runRestore } from "./run-restore.ts";
import { verifyAll } from "./verify.ts";

export { startWantedDeletion } from "./delete-point.ts";
export { forgetDeletedPlans } from "./forget-plans.ts";
export { evaluateSoon, forgetEvaluation } from "./frameworks.ts";
export { moveHold } from "./holds.ts";
export { askForIndex, dropIndex, searchItems } from "./index-point.ts";
export { planLifecycle } from "./lifecycle.ts";
export { lifecycleColumns } from "./new-point.ts";
export { notifyVault } from "./notify.ts";
export { ENDED } from "./outcome.ts";
export { schedulePlan, unschedulePlan } from "./plan-schedule.ts";
export { scheduleReports, startReport, unscheduleReports } from "./reports.ts";
export { requestBackup } from "./request-backup.ts";
export { requestCopy } from "./request-copy.ts";
export { requestRestore } from "./request-restore.ts";
export { cleanUpLater } from "./restore-tested.ts";
export { scheduleTesting, scratchMetadata, unscheduleTesting } from "./restore-testing.ts";
export { isRoleAllowed } from "./roles.ts";
export { resourceTypesOf, sourcesOf } from "./sources.ts";
export { isVaultOpenTo, requireVaultAccess, visitorOf } from "./vault-access.ts";
export { coldPlaceOf, placeOf } from "./vault-storage.ts";
export { type Position, START, verifyNext } from "./verify.ts";

/** Of plans, holds, audits and restore tests. */
export const planJobs: readonly AnyJob[] = [
  planOccurrence,
  forgetPlans,
  holdStep,
  evaluateFramework,
  dailyReport,
  writeReport,
  forgetReport,
  testingOccurrence,
  startTest,
  cleanUp,
];
/** Jobs for backups, copies, restores and the lifecycle of their results. */
export const storageJobs: readonly AnyJob[] = [
  runBackup,
  runParent,
  runCopy,
  runRestore,
  extendPoint,
  pointLifecycle,
  coolPoint,
  indexPoint,
  ...deletionJobs,
  verifyAll,
];
