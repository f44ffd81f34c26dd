/** The maker's namespaces, for every resource manager alike: one table. */
import { defineDialect } from "../dialects/dialect.ts";

const AREAS = [
  "HardwareSecurityModules",
  "AppConfiguration",
  "ApiManagement",
  "SqlVirtualMachine",
  "Sql",
  "Scheduler",
  "Resources",
  "Authorization",
  "Compute",
  "Insights",
  "KeyVault",
  "Logic",
  "ManagedIdentity",
  "Network",
  "OperationalInsights",
  "RecoveryServices",
  "ServiceBus",
  "Storage",
  "Web",
] as const;

export const managementDialect = defineDialect({
  name: "microsoft",
  pathWords: Object.fromEntries(AREAS.map((area) => [`Microsoft.${area}`, `Vendor.${area}`])),
  fields: { azureKeyVaultUrl: "vendorKeyVaultUrl" },
  valueFields: [
    "id",
    "name",
    "type",
    "nextLink",
    "provider",
    "namespace",
    "resourceId",
    "resourceType",
    "scope",
    // SQL virtual machines
    "sqlVirtualMachineGroupResourceId",
    "virtualMachineResourceId",
    "loadBalancerResourceId",
    "publicIpAddressResourceId",
    "subnetResourceId",
    "sqlVirtualMachineInstances",
    // SQL databases
    "elasticPoolId",
    "sourceDatabaseId",
    "recoverableDatabaseId",
    "restorableDroppedDatabaseId",
    "recoveryServicesRecoveryPointId",
    "longTermRetentionBackupResourceId",
    "failoverGroupId",
    // diagnostics
    "loggerId",
  ],
  answerValueFields: ["message", "target"],
});
