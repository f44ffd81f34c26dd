/** Errors of any managed resource, with the names of the resource manager. */
import { defineErrors, type ErrorKind } from "../operation/errors.ts";

export const managementErrors = defineErrors({
  missingApiVersion: ["MissingApiVersionParameter", 400],
  invalidApiVersion: ["InvalidApiVersionParameter", 400],
  invalidSubscription: ["InvalidSubscriptionId", 400],
  subscriptionNotFound: ["SubscriptionNotFound", 404],
  invalidGroupName: ["InvalidResourceGroupName", 400],
  groupNotFound: ["ResourceGroupNotFound", 404],
  groupBeingDeleted: ["ResourceGroupBeingDeleted", 409],
  invalidName: ["InvalidResourceName", 400],
  invalidLocation: ["InvalidResourceLocation", 409],
  invalidTags: ["InvalidTag", 400],
  resourceNotFound: ["ResourceNotFound", 404],
  parentNotFound: ["ParentResourceNotFound", 404],
  nameTaken: ["NameAlreadyExists", 409],
  operationInProgress: ["AnotherOperationInProgress", 409],
  operationNotFound: ["OperationIdNotFound", 404],
  operationFailed: ["ResourceDeploymentFailure", 409],
  preconditionFailed: ["PreconditionFailed", 412],
});

/** Any operation on a resource may report these. */
export const commonErrors: readonly ErrorKind[] = [
  managementErrors.invalidApiVersion,
  managementErrors.invalidSubscription,
  managementErrors.subscriptionNotFound,
];
