/** What an owner says about a client, once each member has its shape: what they have to do with each other. Pure. */

import type { ClientMetadata } from "../domain/metadata.ts";
import { findRedirectProblem } from "../domain/redirect-uris.ts";
import { grantTypesFor, normalResponseType, RESPONSE_TYPES } from "../domain/response-types.ts";
import { isIdentityScope, readScopes } from "../domain/scopes.ts";
import { errors } from "../errors.ts";
import type { ClientBody } from "../wire.ts";
import { readLogoutUris } from "./logout-uris.ts";
import { readSector } from "./sector.ts";

/** `braille:*`, `Vendor.Sql/servers/read`. */
const PERMISSION = /^(?:\*|[A-Za-z][A-Za-z0-9.-]*(?:[:/][A-Za-z0-9.*?-]+)+)$/;

const invalid = (member: string, problem: string) =>
  errors.invalidClientMetadata(`${member}: ${problem}.`, { target: member });

function readUris(
  member: string,
  uris: readonly string[],
  kind: Parameters<typeof findRedirectProblem>[1],
): string[] {
  for (const uri of uris) {
    const problem = findRedirectProblem(uri, kind);
    if (problem !== undefined)
      throw errors.invalidRedirectUri(`${member}: ${uri.slice(0, 200)}: ${problem}.`, { target: member });
  }
  return [...new Set(uris)];
}
function readResponseTypes(given: readonly string[] | undefined): string[] {
  if (given === undefined) return [...RESPONSE_TYPES];
  return [
    ...new Set(
      given.map((text) => {
        const known = normalResponseType(text);
        if (known === undefined)
          throw invalid("response_types", `"${text}" is not one of ${RESPONSE_TYPES.join(", ")}`);
        return known;
      }),
    ),
  ];
}
function readGrantTypes(given: readonly string[] | undefined, responseTypes: readonly string[]): string[] {
  const needed = grantTypesFor(responseTypes);
  if (given === undefined) return needed;
  const missing = needed.find((grant) => !given.includes(grant));
  if (missing !== undefined) throw invalid("grant_types", `the response types need ${missing}`);
  return [...new Set(given)];
}
function readPermissions(text: string | undefined): string[] {
  const scopes = readScopes(text ?? "").filter((scope) => !isIdentityScope(scope));
  const wrong = scopes.find((scope) => !PERMISSION.test(scope));
  if (wrong !== undefined)
    throw invalid(
      "scope",
      `"${wrong}" is neither a claim scope nor a permission such as braille:* or Vendor.Sql/*`,
    );
  return scopes;
}
function readDefaultScopes(given: readonly string[], permissions: readonly string[]): string[] {
  const scopes = readScopes(given.join(" "));
  const wrong = scopes.find((scope) => !isIdentityScope(scope) && !permissions.includes(scope));
  if (wrong !== undefined)
    throw invalid("default_scopes", `"${wrong}" is not a scope this client may ask for`);
  return scopes;
}

export function readMetadata(body: ClientBody): ClientMetadata {
  const { application_type: applicationType = "web", token_endpoint_auth_method: authMethod } = body;
  const testMode = body.test_mode ?? false;
  const kind = { applicationType, testMode };
  const redirectUris = readUris("redirect_uris", body.redirect_uris ?? [], kind);
  const responseTypes = readResponseTypes(body.response_types);
  const permissions = readPermissions(body.scope);
  const { id_token_signed_response_alg: idTokenAlgorithm = "RS256" } = body;
  if (idTokenAlgorithm === "HS256" && authMethod === "none")
    throw invalid("id_token_signed_response_alg", "HS256 needs a client secret");
  return {
    name: body.client_name.trim(),
    uri: body.client_uri,
    redirectUris,
    postLogoutRedirectUris: readUris("post_logout_redirect_uris", body.post_logout_redirect_uris ?? [], kind),
    responseTypes,
    grantTypes: readGrantTypes(body.grant_types, responseTypes),
    applicationType,
    contacts: [...new Set(body.contacts)],
    defaultScopes: readDefaultScopes(body.default_scopes ?? [], permissions),
    permissions,
    idTokenAlgorithm,
    testMode,
    ...readSector(body, redirectUris),
    ...readLogoutUris(body, redirectUris),
    ...(authMethod !== undefined && { authMethod }),
    ...(body.logo_uri !== undefined && { logoUri: body.logo_uri }),
    ...(body.policy_uri !== undefined && { policyUri: body.policy_uri }),
    ...(body.tos_uri !== undefined && { tosUri: body.tos_uri }),
    ...(body.default_max_age !== undefined && { defaultMaxAgeSeconds: body.default_max_age }),
  };
}
