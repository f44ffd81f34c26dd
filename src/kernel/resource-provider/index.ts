/** Resource providers: resource managers declared as types, parents, schemas, states and actions. See README.md. */
export { startedAnswer } from "./change.ts";
export { managementDialect } from "./dialect.ts";
export { managementErrors } from "./errors.ts";
export {
  demoSubscriptionOf,
  groupIdOf,
  isIdOfType,
  keyOf,
  locationKeyOf,
  parseResourceId,
  tenantOf,
} from "./identifiers.ts";
export { getResourceAt } from "./lookup.ts";
export { rewriteSecrets } from "./migrations.ts";
export { nextLinkOf } from "./pages.ts";
export { isGoingAway } from "./parents.ts";
export { providerPath, requireSubscription } from "./place.ts";
export { presentResource } from "./present.ts";
export { defineResourceProvider, makeResource, resourceType } from "./provider.ts";
export {
  changeResource,
  findById,
  isNameTaken,
  listChildren,
  listLinked,
  renameResource,
} from "./records.ts";
export { resourceManager } from "./resource-manager.ts";
export { hasSecret, openSecret } from "./secrets.ts";
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
