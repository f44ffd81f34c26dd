/** Backups of API management instances include all child resources: APIs, policies, products and keys. */
import type { OwnContext } from "#kernel/operation";
import { treeSource } from "#kernel/resource-provider";
import type { BackupSource } from "#ports/backup-sources";

export const backupSource = (own: OwnContext): BackupSource =>
  treeSource(own, {
    resourceType: "ApiManagementService",
    type: "Vendor::ApiManagement::Service",
    nameMember: "serviceName",
  });
