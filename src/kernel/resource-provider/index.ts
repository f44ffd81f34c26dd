/** Resource providers: resource managers declared as types, parents, schemas, states and actions. See README.md. */
export { startedAnswer } from "./change.ts";
export { changesTagsAlone, checkTags, mergeTags } from "./desired.ts";
export { managementDialect } from "./dialect.ts";
export { commonErrors, managementErrors } from "./errors.ts";
export {
  demoSubscriptionOf,
  groupIdOf,
  isIdOfType,
  keyOf,
  locationKeyOf,
  parseResourceId,
  RESOURCE_GROUP_TYPE,
  RESOURCES_NAMESPACE,
  subscriptionKeyOf,
  tenantOf,
} from "./identifiers.ts";
export { getResourceAt } from "./lookup.ts";
export { rewriteSecrets } from "./migrations.ts";
export { atManagementMount } from "./mount.ts";
export { type ListScope, nextLinkOf, pageOfResources, pageOfSubscriptions } from "./pages.ts";
export { DELETING, groupNotFound, isGoingAway, newGroup } from "./parents.ts";
export {
  checkGroupName,
  paramsOf,
  pathMaker,
  providerPath,
  requireSubscription,
  resourceAt,
} from "./place.ts";
export { presentResource } from "./present.ts";
export { apiVersionOf } from "./protocol.ts";
export { defineResourceProvider, makeResource, resourceType } from "./provider.ts";
export {
  arnOf as resourceArnOf,
  changeResource,
  countChildren,
  countLinked,
  eachChild,
  findById,
  insertResource,
  isNameTaken,
  listBelow,
  listChildren,
  listLinked,
  listNamed,
  longRunningOf,
  moveResources,
  newEtag,
  RESOURCE_MANAGER,
  removeResource,
  removeSomeBelow,
  renameResource,
  workJobKeyOf,
} from "./records.ts";
export { providersOf, typePathOf } from "./registry.ts";
export { hasSecret, openSecret } from "./secrets.ts";
export { treeSource } from "./tree.ts";
export type {
  Action,
  ActionInput,
  Change,
  Desired,
  ManagedResource,
  Place,
  Preparation,
  Properties,
  ProviderSpec,
  ResourceType,
  ResourceTypeSpec,
  Tags,
  Work,
} from "./types.ts";
export {
  apiVersionQuery,
  listOf,
  location,
  oneOf,
  proxyAnswer,
  tagChanges,
  tags,
  trackedAnswer,
  trackedBody,
} from "./wire.ts";
export { startWork } from "./work.ts";
