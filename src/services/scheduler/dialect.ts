/** The maker's words for what jobs name beyond their own namespace: where they send messages and whom they call. */
import { managementDialect } from "#kernel/resource-provider";

export const makersDialect = managementDialect({
  namespaces: ["Vendor.Logic", "Vendor.ServiceBus", "Vendor.Storage", "Vendor.Web"],
});
