/**
 * Vendor names that diagnostics use outside their namespace: loggers and their targets, subscription scopes,
 * and members of log records.
 */
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
