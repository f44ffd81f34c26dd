/** Errors, with the names of OAuth 2.0 where they exist. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  invalidRequest: ["invalid_request", 400],
  invalidClient: ["invalid_client", 401],
  invalidGrant: ["invalid_grant", 400],
  unauthorizedClient: ["unauthorized_client", 400],
  unsupportedGrantType: ["unsupported_grant_type", 400],
  unsupportedTokenType: ["unsupported_token_type", 400],
  invalidToken: ["invalid_token", 401],
  insufficientScope: ["insufficient_scope", 403],
  tooManyAttempts: ["temporarily_unavailable", 429],
});
