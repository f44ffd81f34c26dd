/** The maker's words for what modules name beyond their own namespace: the networks they stand in. */
import { managementDialect } from "#kernel/resource-provider";

export const makersDialect = managementDialect({ namespaces: ["Vendor.Network"] });
