/** Dedicated hardware security modules (service H of the contract). */
import { defineResourceProvider } from "#kernel/resource-provider";
import { makersDialect } from "./dialect.ts";
import { dedicatedHsms } from "./operations/dedicated-hsms.ts";
import { seed } from "./seed.ts";

export default defineResourceProvider({
  name: "hardware-security-modules",
  title: "Hardware security modules",
  summary: "Dedicated hardware security modules: SKUs, zones, network profiles and allocation states.",
  contract: "H",
  namespace: "Vendor.HardwareSecurityModules",
  apiVersions: [
    "2018-10-31-preview",
    "2018-10-31",
    "2021-11-30",
    "2022-08-31-preview",
    "2023-12-10-preview",
    "2024-06-30-preview",
    "2025-03-31",
  ],
  types: [dedicatedHsms],
  dialects: [makersDialect],
  seed,
  describeOperation: ({ name, resource, operation, description }) => ({
    name,
    isDataAction: "false",
    display: { provider: "Vendor Hardware Security Modules", resource, operation, description },
  }),
});
