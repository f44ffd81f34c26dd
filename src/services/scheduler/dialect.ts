/** The maker's spelling of names outside the scheduler's namespace: message targets and called services. */
import { managementDialect } from "#kernel/resource-provider";

export const makersDialect = managementDialect({
  namespaces: ["Vendor.Logic", "Vendor.ServiceBus", "Vendor.Storage", "Vendor.Web"],
  // Payloads belong to job owners, and history has answers of receivers. Both stay unchanged.
  verbatim: [
    "action.request",
    "errorAction.request",
    "queueMessage",
    "serviceBusQueueMessage",
    "serviceBusTopicMessage",
    "properties.message",
  ],
});
