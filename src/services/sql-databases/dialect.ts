/** The maker's words for what databases name beyond their own namespace. */
import { managementDialect } from "#kernel/resource-provider";

export const makersDialect = managementDialect({
  namespaces: ["Vendor.KeyVault", "Vendor.RecoveryServices", "Vendor.Storage"],
  idMembers: [
    "elasticPoolId",
    "sourceDatabaseId",
    "recoverableDatabaseId",
    "restorableDroppedDatabaseId",
    "recoveryServicesRecoveryPointId",
    "longTermRetentionBackupResourceId",
    "failoverGroupId",
  ],
});
