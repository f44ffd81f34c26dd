/** Errors of client registration. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  invalidClientMetadata: ["invalid_client_metadata", 400],
  invalidRedirectUri: ["invalid_redirect_uri", 400],
  tooManyClients: ["too_many_clients", 403],
  clientNotFound: ["not_found", 404],
});
