/** The rules for what an owner may say about a client. Pure. */

import { AUTH_METHODS, type ClientMetadata, GRANT_TYPES, ID_TOKEN_ALGORITHMS } from "../domain/metadata.ts";
import { findLinkProblem, findRedirectProblem } from "../domain/redirect-uris.ts";
import { grantTypesFor, normalResponseType, RESPONSE_TYPES } from "../domain/response-types.ts";
import { isIdentityScope, readScopes } from "../domain/scopes.ts";
import { errors } from "../errors.ts";
import type { ClientBody } from "../wire.ts";
import { readLogoutUris } from "./logout-uris.ts";
import { readSector } from "./sector.ts";

const EMAIL = /^[^\s@<>"]{1,64}@[^\s@.<>"]{1,63}(?:\.[^\s@.<>"]{1,63}){0,8}$/;
/** `braille:*`, `Vendor.Sql/servers/read`. */
const PERMISSION = /^(?:\*|[A-Za-z][A-Za-z0-9.-]*(?:[:/][A-Za-z0-9.*?-]+)+)$/;
const CONTROL = /\p{Cc}/u;

const invalid = (member: string, problem: string) =>
  errors.invalidClientMetadata(`${member}: ${problem}.`, { target: member });

function oneOf<T extends string>(
  member: string,
  value: string | undefined,
  known: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const found = known.find((one) => one === value);
  if (found === undefined) throw invalid(member, `"${value}" is not one of ${known.join(", ")}`);
  return found;
}

function readName(text: string): string {
  const name = text.trim();
  if (name === "" || CONTROL.test(name)) throw invalid("client_name", "it must be a line of readable text");
  return name;
}
function readLink(member: string, text: string): string {
  const problem = findLinkProblem(text);
  if (problem !== undefined) throw invalid(member, problem);
  return text;
}
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
  for (const grant of given) oneOf("grant_types", grant, GRANT_TYPES);
  const missing = needed.find((grant) => !given.includes(grant));
  if (missing !== undefined) throw invalid("grant_types", `the response types need ${missing}`);
  return [...new Set(given)];
}
function readContacts(given: readonly string[]): string[] {
  const wrong = given.find((contact) => !EMAIL.test(contact));
  if (wrong !== undefined) throw invalid("contacts", `"${wrong}" is not an e-mail address`);
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
  const applicationType = oneOf("application_type", body.application_type, ["web", "native"]) ?? "web";
  const testMode = body.test_mode ?? false;
  const kind = { applicationType, testMode };
  const redirectUris = readUris("redirect_uris", body.redirect_uris ?? [], kind);
  const responseTypes = readResponseTypes(body.response_types);
  const permissions = readPermissions(body.scope);
  const authMethod = oneOf("token_endpoint_auth_method", body.token_endpoint_auth_method, AUTH_METHODS);
  const idTokenAlgorithm =
    oneOf("id_token_signed_response_alg", body.id_token_signed_response_alg, ID_TOKEN_ALGORITHMS) ?? "RS256";
  if (idTokenAlgorithm === "HS256" && authMethod === "none")
    throw invalid("id_token_signed_response_alg", "HS256 needs a client secret");
  return {
    name: readName(body.client_name),
    uri: readLink("client_uri", body.client_uri),
    redirectUris,
    postLogoutRedirectUris: readUris("post_logout_redirect_uris", body.post_logout_redirect_uris ?? [], kind),
    responseTypes,
    grantTypes: readGrantTypes(body.grant_types, responseTypes),
    applicationType,
    contacts: readContacts(body.contacts ?? []),
    defaultScopes: readDefaultScopes(body.default_scopes ?? [], permissions),
    permissions,
    idTokenAlgorithm,
    testMode,
    ...readSector(body, redirectUris),
    ...readLogoutUris(body, redirectUris),
    ...(authMethod !== undefined && { authMethod }),
    ...(body.logo_uri !== undefined && { logoUri: readLink("logo_uri", body.logo_uri) }),
    ...(body.policy_uri !== undefined && { policyUri: readLink("policy_uri", body.policy_uri) }),
    ...(body.tos_uri !== undefined && { tosUri: readLink("tos_uri", body.tos_uri) }),
    ...(body.default_max_age !== undefined && { defaultMaxAgeSeconds: body.default_max_age }),
  };
}
