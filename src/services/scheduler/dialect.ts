/** The maker's words for what jobs name beyond their own namespace: where they send messages and whom they call. */
import { managementDialect } from "#kernel/resource-provider";

export const makersDialect = managementDialect({
  namespaces: ["Vendor.Logic", "Vendor.ServiceBus", "Vendor.Storage", "Vendor.Web"],
  // What jobs send is their owners', and what a receiver answered stands in the history as it came.
  verbatim: [
    "action.request",
    "errorAction.request",
    "queueMessage",
    "serviceBusQueueMessage",
    "serviceBusTopicMessage",
    "properties.message",
  ],
});
