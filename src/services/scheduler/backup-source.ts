/** Backup and restore of job collections with their jobs, without history. */
import type { OwnContext } from "#kernel/operation";
import { treeSource } from "#kernel/resource-provider";
import type { BackupSource } from "#ports/backup-sources";

export const backupSource = (own: OwnContext): BackupSource =>
  treeSource(own, {
    resourceType: "JobCollection",
    type: "Vendor::Scheduler::JobCollection",
    nameMember: "jobCollectionName",
  });
