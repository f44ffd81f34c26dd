/** Vendor names in HSM resources outside their own namespace: networks. */
import { managementDialect } from "#kernel/resource-provider";

export const makersDialect = managementDialect({ namespaces: ["Vendor.Network"] });
