/** Who the caller is, by which credential, and how to get a token. */
import { Type } from "@sinclair/typebox";
import { answer, anyone, operationsFor } from "#kernel/operation";
import { people } from "#ports/people";
import { FULL, STRANGERS_ACTIONS } from "../domain/access.ts";
import { tokenErrors } from "../errors.ts";
import type { ContributionsContext, State } from "../state.ts";
import type { Tables } from "../tables/index.ts";
import { refreshUser, signedInCallerOf, userOf } from "../views/caller.ts";
import { Authority, Credential, userViewOf } from "../wire/users.ts";

const operation = operationsFor<Tables, State>();

/** A credential without scopes allows everything. */
function scopesOf({ principal }: ContributionsContext): string[] {
  if (principal.scopes === undefined) return [FULL];
  return principal.scopes.filter(
    (scope) => !STRANGERS_ACTIONS.includes(scope) && scope !== "contributions:*",
  );
}

const listScopes = operation({
  id: "contributions.scopes.list",
  summary: "Lists the scopes of the caller's credential",
  description: "A credential without scopes has `full`.",
  method: "GET",
  path: "/scopes",
  permission: "contributions:ListScopes",
  answers: { 200: Type.Array(Type.String({ description: "A scope.", examples: [FULL] })) },
  handle: (_input, context) => scopesOf(context),
});

const listCredentials = operation({
  id: "contributions.credentials.list",
  summary: "Lists the credentials of the caller",
  description: "The credential of this request and, for a person, the user name. Secrets are not included.",
  method: "GET",
  path: "/credentials",
  permission: "contributions:ListCredentials",
  answers: { 200: Type.Array(Credential) },
  async handle(_input, context) {
    const { principal } = context;
    const caller = signedInCallerOf(context);
    const scopes = scopesOf(context);
    const shown = { type: principal.credentialKind, user: caller.userId, scopes, value: principal.name };
    if (caller.kind === "account") return [shown];
    const { username } = await userOf(context, caller.userId);
    return [shown, { type: "password", user: caller.userId, scopes: [FULL], value: username }];
  },
});

const verify = operation({
  id: "contributions.verify",
  summary: "Returns the person of the caller's token",
  description: "Also updates the stored profile of the person from the identity service.",
  method: "POST",
  path: "/verify",
  permission: "contributions:Verify",
  answers: { 200: Authority },
  async handle(_input, context) {
    const { principal } = context;
    const caller = signedInCallerOf(context);
    const user = await refreshUser(context, caller.userId);
    const name =
      caller.kind === "user" ? await context.port(people).findClientName(context, principal.name) : undefined;
    return {
      id: principal.name,
      client: { id: principal.name, ...(name !== undefined && { name }) },
      user: userViewOf(user),
    };
  },
});

const parameter = (description: string, example: string) =>
  Type.Optional(
    Type.Union(
      [Type.String({ maxLength: 65_536 }), Type.Array(Type.String({ maxLength: 65_536 }), { maxItems: 100 })],
      { description, examples: [example] },
    ),
  );
const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" };
const token = operation({
  id: "contributions.token",
  summary: "Issues an access token for a person's name and password (OAuth 2.0 password grant)",
  description:
    "The client must be registered with the identity service, which also limits wrong passwords. The token has the scope `full` and expires after an hour.",
  method: "POST",
  path: "/token",
  permission: anyone,
  bodyKinds: ["form"],
  body: Type.Object({
    grant_type: parameter("password.", "password"),
    username: parameter("The person's name, or their proven address.", "ann"),
    password: parameter("The person's password.", "correct horse battery staple"),
    scope: parameter("full, or nothing.", FULL),
    client_id: parameter("A client that is registered with the identity service.", "app_1"),
    client_secret: parameter("Its secret, where it is not sent as Basic credentials.", "kX2vQ9mTz7"),
  }),
  answers: {
    200: Type.Object({
      access_token: Type.String({ description: "The token.", examples: ["eyJhbGciOiJFZERTQSJ9.e30.c2ln"] }),
      token_type: Type.Literal("Bearer", { description: "How it is shown.", examples: ["Bearer"] }),
      expires_in: Type.Integer({ description: "For how many seconds it is good.", examples: [3600] }),
      scope: Type.String({ description: "What it opens.", examples: [FULL] }),
    }),
  },
  errors: Object.values(tokenErrors),
  inputError: tokenErrors.invalidRequest,
  errorShape: "oauth",
  transaction: "manual",
  noStore: true,
  async handle({ body }, context) {
    if (body.grant_type !== "password")
      throw tokenErrors.unsupportedGrantType("The only grant type is password.");
    if (body.scope !== undefined && body.scope !== "" && body.scope !== FULL)
      throw tokenErrors.invalidScope(`The only scope is ${FULL}.`);
    const issued = await context.port(people).issueByPassword(context, body, [FULL]);
    if (!issued) throw tokenErrors.unsupportedGrantType("No identity service is mounted here.");
    const { accessToken, expiresInSeconds } = issued;
    const told = { access_token: accessToken, token_type: "Bearer" as const, scope: FULL };
    return answer(200, { ...told, expires_in: expiresInSeconds }, NO_STORE);
  },
});

export const accessOperations = [token, listScopes, listCredentials, verify];
