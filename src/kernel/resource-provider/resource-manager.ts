/** The resource manager itself: resource groups, subscriptions, providers, and lists across all types. */
import { defineService } from "../operation/service.ts";
import { managementDialect } from "./dialect.ts";
import { deleteGroupJob, groupDeletionResult } from "./group-deletion.ts";
import { groupOperations } from "./groups.ts";
import { RESOURCES_NAMESPACE } from "./identifiers.ts";
import { inventoryOperations } from "./inventory.ts";
import { MANAGEMENT_MOUNT, MANAGEMENT_ROOTS, MANAGER_VERSION } from "./mount.ts";
import { protocolOf } from "./protocol.ts";
import { RESOURCE_MANAGER } from "./records.ts";

/** Subscriptions and groups have kept their shapes over all of these. */
const API_VERSIONS = [
  MANAGER_VERSION,
  "2014-04-01",
  "2015-11-01",
  "2016-02-01",
  "2016-06-01",
  "2016-09-01",
  "2017-05-10",
  "2018-02-01",
  "2018-05-01",
  "2019-05-01",
  "2019-05-10",
  "2019-06-01",
  "2019-07-01",
  "2019-08-01",
  "2019-10-01",
  "2020-01-01",
  "2020-06-01",
  "2020-08-01",
  "2020-10-01",
  "2021-01-01",
  "2022-09-01",
  "2022-12-01",
  "2023-07-01",
  "2024-03-01",
  "2024-07-01",
  "2024-11-01",
  "2025-03-01",
  "2025-04-01",
];

export const resourceManager = defineService({
  name: RESOURCE_MANAGER,
  title: "Resource manager",
  summary: "Subscriptions, resource groups and lists of resources that the resource managers share.",
  mount: MANAGEMENT_MOUNT,
  rootPaths: MANAGEMENT_ROOTS,
  protocol: protocolOf(RESOURCES_NAMESPACE, API_VERSIONS),
  dialects: [managementDialect()],
  operations: [...groupOperations, groupDeletionResult, ...inventoryOperations],
  jobs: [deleteGroupJob],
});
