/** Discovery for client libraries: the discovery document and the key set. */
import { Type } from "@sinclair/typebox";
import { answer, anyone, operationGroup, operationsFor } from "#kernel/operation";
import {
  AUTH_METHODS,
  GRANT_TYPES,
  ID_TOKEN_ALGORITHMS,
  IDENTITY_SCOPES,
  RESPONSE_MODES,
  RESPONSE_TYPES,
  SUBJECT_TYPES,
} from "../../clients/index.ts";
import { CLAIM_NAMES } from "../domain/claims.ts";
import { KEY_SET_CACHE_SECONDS } from "../domain/lifetimes.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";
import { JwkSet } from "../wire.ts";

const operation = operationsFor<Tables, State>();
const CACHED = { "cache-control": `public, max-age=${KEY_SET_CACHE_SECONDS}` };
const secretMethods = AUTH_METHODS.filter((method) => method !== "none");

/** The issuer is the address as the caller wrote it, so that it works under every name the host has. */
const documentFor = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  registration_endpoint: `${issuer}/client`,
  revocation_endpoint: `${issuer}/revoke`,
  introspection_endpoint: `${issuer}/introspect`,
  end_session_endpoint: `${issuer}/logout`,
  check_session_iframe: `${issuer}/session/iframe`,
  scopes_supported: IDENTITY_SCOPES,
  response_types_supported: RESPONSE_TYPES,
  response_modes_supported: RESPONSE_MODES,
  grant_types_supported: GRANT_TYPES,
  subject_types_supported: SUBJECT_TYPES,
  id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  introspection_endpoint_auth_methods_supported: secretMethods,
  display_values_supported: ["page", "popup", "modal"],
  prompt_values_supported: ["none", "login", "consent", "select_account"],
  claim_types_supported: ["normal"],
  claims_supported: CLAIM_NAMES,
  code_challenge_methods_supported: ["S256", "plain"],
  claims_parameter_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  require_request_uri_registration: false,
  authorization_response_iss_parameter_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  frontchannel_logout_supported: true,
  frontchannel_logout_session_supported: true,
});

export const discoveryOperations = operationGroup({ crossOrigin: true }, [
  operation({
    id: "identity.discovery",
    summary: "Returns the OpenID Connect discovery document",
    description: `The issuer is the address that the caller used, so each host name is an issuer of its own. May be cached for ${KEY_SET_CACHE_SECONDS / 60} minutes.`,
    method: "GET",
    path: "/.well-known/openid-configuration",
    permission: anyone,
    answers: { 200: Type.Record(Type.String(), Type.Unknown()) },
    handle: (_input, { request }) => answer(200, documentFor(request.mountUrl), CACHED),
  }),
  operation({
    id: "identity.keys",
    summary: "Returns the public keys that verify tokens",
    description: `Keys rotate every 30 days, and a new key is published a day before it signs. May be cached for ${KEY_SET_CACHE_SECONDS / 60} minutes. Clients with HS256 verify with their own secret instead.`,
    method: "GET",
    path: "/jwks",
    permission: anyone,
    answers: { 200: JwkSet },
    async handle(_input, context) {
      const keys = await context.state.keyRing.published(context);
      return answer(200, { keys: keys.map(({ jwk }) => ({ ...jwk })) }, CACHED);
    },
  }),
]);
