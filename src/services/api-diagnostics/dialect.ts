/** The maker's words for what diagnostics name beyond their own namespace: loggers, where those write, and what subscriptions open. */
import { managementDialect } from "#kernel/resource-provider";

export const makersDialect = managementDialect({
  namespaces: ["Vendor.Insights", "Vendor.OperationalInsights"],
  idMembers: ["loggerId", "resourceId", "scope"],
});
