/** The errors of this service. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  invalid: ["ValidationFailed", 400],
  notPermitted: ["NotPermitted", 403],
  notFound: ["NotFound", 404],
  closed: ["AssignmentClosed", 409],
  decided: ["AlreadyDecided", 409],
  tooMany: ["TooMany", 409],
  tooOften: ["TooOften", 429],
});

/** Errors of the token endpoint, as OAuth 2.0 defines them. */
export const tokenErrors = defineErrors({
  invalidRequest: ["invalid_request", 400],
  invalidGrant: ["invalid_grant", 400],
  invalidScope: ["invalid_scope", 400],
  unsupportedGrantType: ["unsupported_grant_type", 400],
  unauthorizedClient: ["unauthorized_client", 400],
  invalidClient: ["invalid_client", 401],
  tooManyAttempts: ["temporarily_unavailable", 429],
});
