/** The resource manager itself: resource groups, subscriptions, providers, and lists across all types. */
import { defineService } from "#kernel/operation";
import { atManagementMount, RESOURCE_MANAGER, RESOURCES_NAMESPACE } from "#kernel/resource-provider";
import { deleteGroupJob } from "./jobs.ts";
import { API_VERSIONS } from "./operations/declaration.ts";
import { groupDeletionResult } from "./operations/group-deletions.ts";
import { groupOperations } from "./operations/groups.ts";
import { providerOperations } from "./operations/providers.ts";
import { resourceOperations } from "./operations/resources.ts";
import { subscriptionOperations } from "./operations/subscriptions.ts";

export default defineService({
  name: RESOURCE_MANAGER,
  title: "Resource manager",
  summary: "Subscriptions, resource groups and lists of resources that the resource managers share.",
  ...atManagementMount(RESOURCES_NAMESPACE, API_VERSIONS),
  operations: [
    ...groupOperations,
    groupDeletionResult,
    ...subscriptionOperations,
    ...providerOperations,
    ...resourceOperations,
  ],
  jobs: [deleteGroupJob],
});
