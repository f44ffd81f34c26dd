/** Job collections can be backed up, with their jobs; what those have done is not kept. */
import type { OwnContext } from "#kernel/operation";
import { treeSource } from "#kernel/resource-provider";
import type { BackupSource } from "#ports/backup-sources";

export const backupSource = (own: OwnContext): BackupSource =>
  treeSource(own, {
    resourceType: "JobCollection",
    type: "Vendor::Scheduler::JobCollection",
    nameMember: "jobCollectionName",
  });
