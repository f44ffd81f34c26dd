/** Converts a valid Client Object into the stored form. Pure. */
import type { ClientMetadata, LogoutMetadata, SectorMetadata } from "../domain/metadata.ts";
import { hostsOf } from "../domain/redirect-uris.ts";
import { grantTypesFor, normalResponseType, RESPONSE_TYPES } from "../domain/response-types.ts";
import { permissionsOf, readScopes } from "../domain/scopes.ts";
import type { ClientBody } from "../wire/index.ts";

const each = (list: readonly string[] = []): string[] => [...new Set(list)];

/** A sector is a host; `checkSector` sees whether others agree to be of it. */
function sectorOf({
  subject_type: type,
  sector_identifier_uri: uri,
  redirect_uris,
}: ClientBody): SectorMetadata {
  const [host = ""] = hostsOf(uri === undefined ? (redirect_uris ?? []) : [uri]);
  return {
    ...(uri !== undefined && { sectorIdentifierUri: uri }),
    ...(type === "pairwise" && { sector: host }),
  };
}
/** The addresses for logout notifications. */
function logoutUrisOf(body: ClientBody): LogoutMetadata {
  const { backchannel_logout_uri: back, frontchannel_logout_uri: front } = body;
  return {
    ...(back !== undefined && {
      backchannelLogoutUri: back,
      backchannelSessionRequired: body.backchannel_logout_session_required ?? false,
    }),
    ...(front !== undefined && {
      frontchannelLogoutUri: front,
      frontchannelSessionRequired: body.frontchannel_logout_session_required ?? false,
    }),
  };
}

export function metadataOf(body: ClientBody): ClientMetadata {
  const { token_endpoint_auth_method: authMethod, response_types: types = RESPONSE_TYPES } = body;
  const responseTypes = each(types.map((text) => normalResponseType(text) ?? text));
  return {
    name: body.client_name.trim(),
    uri: body.client_uri,
    redirectUris: each(body.redirect_uris),
    postLogoutRedirectUris: each(body.post_logout_redirect_uris),
    responseTypes,
    grantTypes: each(body.grant_types ?? grantTypesFor(responseTypes)),
    applicationType: body.application_type ?? "web",
    contacts: each(body.contacts),
    defaultScopes: readScopes((body.default_scopes ?? []).join(" ")),
    permissions: permissionsOf(body.scope ?? ""),
    idTokenAlgorithm: body.id_token_signed_response_alg ?? "RS256",
    testMode: body.test_mode ?? false,
    ...sectorOf(body),
    ...logoutUrisOf(body),
    ...(authMethod !== undefined && { authMethod }),
    ...(body.logo_uri !== undefined && { logoUri: body.logo_uri }),
    ...(body.policy_uri !== undefined && { policyUri: body.policy_uri }),
    ...(body.tos_uri !== undefined && { tosUri: body.tos_uri }),
    ...(body.default_max_age !== undefined && { defaultMaxAgeSeconds: body.default_max_age }),
  };
}
