/** Every operation of this service. */
import type { Operation } from "#kernel/operation";
import { backupJobOperations } from "./backup-jobs.ts";
import { copyJobOperations } from "./copy-jobs.ts";
import { frameworkOperations } from "./frameworks.ts";
import { indexOperations } from "./indexes.ts";
import { legalHoldOperations } from "./legal-holds.ts";
import { planTemplateOperations } from "./plan-templates.ts";
import { planOperations } from "./plans.ts";
import { protectedResourceOperations } from "./protected-resources.ts";
import { recoveryPointOperations } from "./recovery-points.ts";
import { reportJobOperations } from "./report-jobs.ts";
import { reportPlanOperations } from "./report-plans.ts";
import { restoreJobOperations } from "./restore-jobs.ts";
import { restoreTestingPlanOperations } from "./restore-testing-plans.ts";
import { restoreTestingSelectionOperations } from "./restore-testing-selections.ts";
import { restoreValidationOperations } from "./restore-validation.ts";
import { selectionOperations } from "./selections.ts";
import { settingsOperations } from "./settings.ts";
import { summaryOperations } from "./summaries.ts";
import { tagOperations } from "./tags.ts";
import { vaultEndpointOperations } from "./vault-endpoints.ts";
import { vaultSettingsOperations } from "./vault-settings.ts";
import { vaultOperations } from "./vaults.ts";

export const operations: readonly Operation[] = [
  ...vaultOperations,
  ...vaultSettingsOperations,
  ...vaultEndpointOperations,
  ...recoveryPointOperations,
  ...indexOperations,
  ...backupJobOperations,
  ...copyJobOperations,
  ...restoreJobOperations,
  ...protectedResourceOperations,
  ...planOperations,
  ...planTemplateOperations,
  ...selectionOperations,
  ...legalHoldOperations,
  ...frameworkOperations,
  ...reportPlanOperations,
  ...reportJobOperations,
  ...restoreTestingPlanOperations,
  ...restoreTestingSelectionOperations,
  ...restoreValidationOperations,
  ...settingsOperations,
  ...tagOperations,
  ...summaryOperations,
];
