/** The token endpoint: a code becomes tokens, once. */
import type { Context } from "#kernel/operation";
import type { Client } from "../clients/index.ts";
import { issueAccessToken } from "./access-token.ts";
import { authenticateClient } from "./client-authentication.ts";
import { type GivenParameters, type Parameters, readParameters } from "./domain/parameters.ts";
import { errors } from "./errors.ts";
import { redeemCode } from "./grants.ts";
import { claimsForIdToken, issueIdToken } from "./id-token.ts";
import { fitsChallenge, isVerifier } from "./pkce.ts";
import type { Tables } from "./tables.ts";

type Db = Context<Tables>;

function required(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw errors.invalidRequest(`${name} is required.`);
  return value;
}

/** Repeated or overlong parameters are refused before anything else is looked at. */
export function soundParameters(given: GivenParameters): Parameters {
  const { parameters, problem } = readParameters(given);
  if (problem !== undefined) throw errors.invalidRequest(problem);
  return parameters;
}

export async function exchangeCode(context: Db, given: GivenParameters) {
  const parameters = soundParameters(given);
  const client = await authenticateClient(context, parameters);
  if (required(parameters, "grant_type") !== "authorization_code")
    throw errors.unsupportedGrantType("The only grant type is authorization_code.");
  checkGrantType(client);
  const code = required(parameters, "code");
  const redirectUri = required(parameters, "redirect_uri");
  const { code_verifier: codeVerifier } = parameters;
  if (codeVerifier !== undefined && !isVerifier(codeVerifier))
    throw errors.invalidRequest("code_verifier must be 43 to 128 unreserved characters.");
  const redeemed = await context.transact((inner) =>
    redeemCode(inner, client, { code, redirectUri, codeVerifier }, fitsChallenge),
  );
  if (redeemed.outcome === "refused") throw errors.invalidGrant(redeemed.reason);
  const { grant } = redeemed;
  const access = await issueAccessToken(context, client, grant);
  const personClaims = await claimsForIdToken(context, grant);
  return {
    token_type: "Bearer" as const,
    access_token: access.token,
    id_token: await issueIdToken(context, client, grant, { accessToken: access.token, personClaims }),
    expires_in: access.expiresInSeconds,
    expires_at: access.expiresAtSeconds,
    scope: grant.scopes.join(" "),
  };
}

function checkGrantType({ metadata }: Client): void {
  if (!metadata.grantTypes.includes("authorization_code"))
    throw errors.unauthorizedClient("This client may not use the grant type authorization_code.");
}
