/** Errors of this service, with the canonical names of googleapis. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  invalidArgument: ["INVALID_ARGUMENT", 400],
  failedPrecondition: ["FAILED_PRECONDITION", 400],
  permissionDenied: ["PERMISSION_DENIED", 403],
  notFound: ["NOT_FOUND", 404],
  /** Another change of the same function is under way, or a policy has changed since it was read. */
  aborted: ["ABORTED", 409],
  resourceExhausted: ["RESOURCE_EXHAUSTED", 429],
  unimplemented: ["UNIMPLEMENTED", 501],
});
