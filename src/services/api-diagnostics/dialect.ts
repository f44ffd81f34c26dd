/** The maker's words for what diagnostics name beyond their own namespace: loggers, where those write, what subscriptions open, and members of records. */
import { managementDialect } from "#kernel/resource-provider";

export const makersDialect = managementDialect({
  namespaces: ["Vendor.ApiManagement", "Vendor.Insights", "Vendor.OperationalInsights"],
  idMembers: ["loggerId", "logger", "resourceId", "scope", "sourceApiId", "apiId"],
  fields: { apimSubscriptionId: "gatewaySubscriptionId" },
  verbatim: [
    "properties.requestHeaders",
    "properties.responseHeaders",
    "properties.backendRequestHeaders",
    "properties.backendResponseHeaders",
  ],
});
