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

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const MAKERS_IDENTITY = /(?<=\/providers\/)Microsoft(?=\.ManagedIdentity\/)/i;
const NEUTRAL_IDENTITY = /(?<=\/providers\/)Vendor(?=\.ManagedIdentity\/)/i;

/** The identities of a resource are members named by ids, which a table of names does not reach. */
function respellIdentities(resource: unknown, from: RegExp, to: string): unknown {
  if (!isObject(resource) || !isObject(resource.identity)) return resource;
  const { userAssignedIdentities: users, ...identity } = resource.identity;
  if (!isObject(users)) return resource;
  const respelt = Object.entries(users).map(([id, user]) => [id.replace(from, to), user]);
  return {
    ...resource,
    identity: { ...identity, userAssignedIdentities: Object.fromEntries(respelt) },
  };
}

export const managementDialect = defineDialect({
  name: "microsoft",
  unwrapBody: (_operation, body) => respellIdentities(body, MAKERS_IDENTITY, "Vendor"),
  wrapAnswer(_operation, _status, body) {
    const outward = (resource: unknown) => respellIdentities(resource, NEUTRAL_IDENTITY, "Microsoft");
    return isObject(body) && Array.isArray(body.value)
      ? { ...body, value: body.value.map(outward) }
      : outward(body);
  },
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
    "managedBy",
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
