/** Authenticates by API key in a header or by account token. The command line has only a token. */
import { apiKeyIn, bearer, bearerTokenOf, plain, type Scheme } from "#kernel/protocols";

const apiKey = apiKeyIn("X-Vendor-Api-Key");
const scheme: Scheme = {
  security: apiKey.security,
  findShownSecret: (call) => apiKey.findShownSecret?.(call) ?? bearer.findShownSecret?.(call),
  authenticate: (call, tools) =>
    call.headers["x-vendor-api-key"] === undefined && bearerTokenOf(call) !== undefined
      ? bearer.authenticate(call, tools)
      : apiKey.authenticate(call, tools),
};
export const protocol = plain({ scheme });
