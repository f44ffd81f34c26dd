/**
 * Demo data: a vault for nightly backups, one for copies, a plan that fills both, and a first backup of the
 * account's resources.
 */
import { arnOf } from "#kernel/arn";
import { vaultArnOf } from "./domain/index.ts";
import { requestBackup } from "./jobs/index.ts";
import { createPlan } from "./operations/plans.ts";
import { createSelection } from "./operations/selections.ts";
import { createVault } from "./operations/vaults.ts";
import type { BackupContext } from "./state.ts";
import { findVault } from "./store/index.ts";

const REGION = "us-east-1";
const BACKED_UP = [
  "Vendor::AppConfiguration::ConfigurationStore",
  "Vendor::ResourceGroups::Group",
  "Vendor::IoTEvents::DetectorModel",
];
const KEPT_DAYS = 35;

export async function seed(context: BackupContext): Promise<void> {
  const { db, account, catalog } = context;
  if (await findVault(db, account, REGION, "nightly")) return;
  for (const name of ["nightly", "copies"])
    await createVault(context, REGION, {
      name,
      type: "BACKUP_VAULT",
      tags: { project: "lantern", stage: "demo" },
    });
  const roleArn = arnOf({ service: "iam", region: "", account, resource: "role/backup" });
  for (const type of BACKED_UP)
    for (const { arn } of await catalog.list({ type, limit: 2 }))
      await requestBackup(context, {
        region: REGION,
        vaultName: "nightly",
        resourceArn: arn,
        roleArn,
        lifecycle: { deleteAfterDays: KEPT_DAYS },
        recoveryPointTags: { made: "by the demo" },
      });
  await seedPlan(context, roleArn);
}

/** Backs up the project every night at two. Copies are kept for a year, most of it in cold storage. */
async function seedPlan(context: BackupContext, roleArn: string): Promise<void> {
  const { BackupPlanId } = await createPlan(context, REGION, {
    given: {
      name: "nightly",
      rules: [
        {
          name: "every-night",
          vaultName: "nightly",
          expression: "cron(0 2 ? * * *)",
          timezone: "Europe/Berlin",
          lifecycle: { deleteAfterDays: KEPT_DAYS },
          recoveryPointTags: { made: "by the plan" },
          copyActions: [
            {
              destinationVaultArn: vaultArnOf(context.account, REGION, "copies"),
              lifecycle: { moveToColdStorageAfterDays: 30, deleteAfterDays: 365 },
            },
          ],
          indexedTypes: [],
        },
      ],
    },
    tags: { project: "lantern", stage: "demo" },
  });
  await createSelection(context, REGION, BackupPlanId, {
    name: "lantern",
    roleArn,
    resources: [],
    notResources: [],
    tags: [{ key: "project", value: "lantern" }],
    conditions: { equals: [], notEquals: [], like: [], notLike: [] },
  });
}
