/** The token endpoint, revocation and introspection. */
import { Type } from "@sinclair/typebox";
import { answer, anyone, type Context, operationGroup, operationsFor } from "#kernel/operation";
import { findProfile } from "../../people/index.ts";
import { findAccessToken } from "../access-token.ts";
import { authenticateClient, clientErrors } from "../client-authentication.ts";
import { ACCESS_TOKEN_SECONDS, CODE_SECONDS } from "../domain/lifetimes.ts";
import { errors } from "../errors.ts";
import { revokeSubject } from "../grants.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";
import { exchangeCode, soundParameters } from "../token.ts";
import { Introspection, TokenAnswer, TokenBody, TokenQuestion } from "../wire.ts";

const operation = operationsFor<Tables, State>();

/** Declarations that operations on a token share. */
const asking = {
  permission: anyone,
  body: TokenQuestion,
  bodyKinds: ["form", "json"],
  errors: clientErrors,
} as const;
async function readQuestion(context: Context<Tables, State>, body: TokenQuestion) {
  const parameters = soundParameters(body);
  const client = await authenticateClient(context, parameters);
  const { token } = parameters;
  if (token === undefined) throw errors.invalidRequest("token is required.");
  return { client, shown: await findAccessToken(context, token) };
}

export const tokenOperations = operationGroup({ noStore: true }, [
  operation({
    id: "identity.token",
    summary: "Exchanges an authorization code for an ID token and an access token",
    description: `A code works once, within ${CODE_SECONDS} seconds, and only with the redirect URI and PKCE verifier of its request. A second use revokes all tokens of the code. Tokens are valid for ${ACCESS_TOKEN_SECONDS / 60} minutes; there are no refresh tokens. After 30 wrong secrets in a minute for a client and network, the response is 429.`,
    crossOrigin: true,
    method: "POST",
    path: "/token",
    permission: anyone,
    transaction: "manual",
    body: TokenBody,
    bodyKinds: ["form", "json"],
    answers: { 200: TokenAnswer },
    errors: [...clientErrors, errors.invalidGrant, errors.unauthorizedClient, errors.unsupportedGrantType],
    examples: {
      body: {
        grant_type: "authorization_code",
        code: "SplxlOBeZQQYbYS6WxSbIA",
        redirect_uri: "https://app.example.org/answer",
        client_id: "app_1",
        client_secret: "…",
      },
    },
    handle: ({ body }, context) => exchangeCode(context, body),
  }),
  operation({
    id: "identity.revoke",
    summary: "Revokes an access token of the calling client (RFC 7009)",
    description:
      "Always answers 200: unknown, expired and other clients' tokens are ignored. The token stops working immediately on this node, and within a second on others. The person's consent remains.",
    crossOrigin: true,
    method: "POST",
    path: "/revoke",
    ...asking,
    transaction: "manual",
    answers: { 200: Type.Object({}) },
    async handle({ body }, context) {
      const { client, shown } = await readQuestion(context, body);
      const claims = shown?.claims;
      // A token that is not (or no longer) good needs no revoking; one of another client is none of its business.
      if (claims?.client_id !== client.clientId) return {};
      await context.transact((inner) =>
        revokeSubject(inner, `token:${claims.jti}`, claims.account, claims.exp * 1000),
      );
      return answer(200, {});
    },
  }),
  operation({
    id: "identity.introspect",
    summary: "Returns whether an access token is valid, with its claims (RFC 7662)",
    description:
      "The client must authenticate with a secret. Tokens of all clients of its account are described; any other token is `active: false`. The user name is omitted for clients with pairwise subjects.",
    method: "POST",
    path: "/introspect",
    ...asking,
    transaction: "read",
    answers: { 200: Introspection },
    async handle({ body }, context) {
      const { client, shown } = await readQuestion(context, body);
      if (shown?.claims.account !== client.account) return { active: false };
      const person = await findProfile(context.db, shown.userId);
      if (!person) return { active: false };
      const { scope, client_id, exp, iat, sub, aud, iss, jti, person: hidden } = shown.claims;
      return {
        active: true,
        scope,
        client_id,
        // A client that must not know the person's id must not learn the user name either.
        ...(hidden === undefined && { username: person.username }),
        token_type: "Bearer",
        exp,
        iat,
        sub,
        aud,
        iss,
        jti,
      };
    },
  }),
]);
