/** Demo data: a vault for every night, one for copies, and a first backup of what the account has. */
import { arnOf } from "#kernel/arn";
import { requestBackup } from "./jobs/index.ts";
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
}
