/** Vendor names in database resources outside their own namespace. */
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
