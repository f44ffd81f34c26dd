/** SQL virtual machines, their groups and availability group listeners (service V of the contract). */
import { defineResourceProvider } from "#kernel/resource-provider";
import { makersDialect } from "./dialect.ts";
import { commonErrors } from "./errors.ts";
import { migrations } from "./migrations.ts";
import { groups } from "./operations/groups.ts";
import { listeners } from "./operations/listeners.ts";
import { machines } from "./operations/machines.ts";
import { seed } from "./seed.ts";

export default defineResourceProvider({
  name: "sql-virtual-machines",
  title: "SQL virtual machines",
  summary:
    "SQL virtual machines, the groups they form and the availability group listeners in front of them.",
  contract: "V",
  namespace: "Vendor.SqlVirtualMachine",
  apiVersions: [
    "2017-03-01-preview",
    "2021-11-01-preview",
    "2022-02-01",
    "2022-02-01-preview",
    "2022-07-01-preview",
    "2022-08-01-preview",
    "2023-01-01-preview",
    "2023-10-01",
  ],
  types: [groups, listeners, machines],
  dialects: [makersDialect],
  errors: Object.values(commonErrors),
  says: {
    busy: ({ id, state }) =>
      commonErrors.operationInProgress(`Another operation is in progress on '${id}' (${state}).`),
    subscriptionNotFound: (id) =>
      commonErrors.subscriptionDoesNotExist(`The subscription '${id}' does not exist.`),
  },
  migrations,
  seed,
  describeOperation: ({ name, resource, operation, description }) => ({
    name,
    origin: "user",
    display: { provider: "Vendor SQL Virtual Machine", resource, operation, description },
    properties: {},
  }),
});
