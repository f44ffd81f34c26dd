/** Claims about the person an access token speaks for. */
import { Type } from "@sinclair/typebox";
import { anyone, type Context, operationsFor } from "#kernel/operation";
import { bearerTokenOf } from "#kernel/protocols";
import { OPENID } from "../../clients/index.ts";
import { findProfile } from "../../people/index.ts";
import { findAccessToken } from "../access-token.ts";
import { claimsOf } from "../domain/claims.ts";
import { wishedClaims } from "../domain/claims-request.ts";
import { errors } from "../errors.ts";
import { findNamedClaims } from "../grants.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";
import { UserInfo } from "../wire.ts";

const operation = operationsFor<Tables, State>();

const challenge = (error?: string) => ({
  headers: {
    "www-authenticate": `Bearer realm="identity"${error === undefined ? "" : `, error="${error}"`}`,
  },
});

async function tellUserInfo(context: Context<Tables, State>, inBody: string | undefined) {
  const inHeader = bearerTokenOf(context.request);
  if (inHeader !== undefined && inBody !== undefined)
    throw errors.invalidRequest("The access token was sent twice.", challenge("invalid_request"));
  const token = inHeader ?? inBody;
  if (token === undefined || token === "")
    throw errors.invalidToken("An access token is required.", challenge());
  const shown = await findAccessToken(context, token);
  const person = shown && (await findProfile(context.db, shown.userId));
  if (!shown || !person)
    throw errors.invalidToken(
      "The access token is not valid, has expired or was revoked.",
      challenge("invalid_token"),
    );
  const { scope, sub, grant, named_claims: hasNamed } = shown.claims;
  const scopes = scope.split(" ");
  if (!scopes.includes(OPENID))
    throw errors.insufficientScope("The access token lacks openid.", challenge("insufficient_scope"));
  const claims = claimsOf(person, scopes);
  if (hasNamed) Object.assign(claims, wishedClaims(person, await findNamedClaims(context.db, grant)));
  return Object.assign(claims, { sub });
}

const declared = {
  permission: anyone,
  transaction: "read",
  path: "/userinfo",
  crossOrigin: true,
  noStore: true,
  answers: { 200: UserInfo },
  errors: [errors.invalidToken, errors.insufficientScope, errors.invalidRequest],
} as const;

export const userinfoOperations = [
  operation({
    ...declared,
    id: "identity.userinfo",
    summary: "Returns the claims about the person that the access token allows",
    description:
      "Needs the scope `openid`. Other scopes and the `claims` parameter of the authorization request add claims. The values are current, so a changed profile is visible immediately.",
    method: "GET",
    handle: (_input, context) => tellUserInfo(context, undefined),
  }),
  operation({
    ...declared,
    id: "identity.userinfoByPost",
    summary: "Returns the claims about the person, by POST",
    description:
      "Same as `identity.userinfo`. The token may be in the header or in the body, but not in both.",
    method: "POST",
    body: Type.Object({
      access_token: Type.Optional(
        Type.String({
          maxLength: 8192,
          description: "The access token, where it is not sent as a header.",
          examples: ["SlAV32hkKG"],
        }),
      ),
    }),
    bodyKinds: ["form", "json"],
    bodyOptional: true,
    handle: ({ body }, context) => tellUserInfo(context, body?.access_token),
  }),
];
