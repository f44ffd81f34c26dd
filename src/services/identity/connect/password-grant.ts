/** Access tokens for a person's name and password, as other services' token addresses offer them to registered clients. */
import type { Context } from "#kernel/operation";
import type { IssuedToken } from "#ports/people";
import { signInByPassword, waitHeaders } from "../people/index.ts";
import { issueAccessToken } from "./access-token.ts";
import { authenticateClient } from "./client-authentication.ts";
import { ACCESS_TOKEN_SECONDS } from "./domain/lifetimes.ts";
import type { GivenParameters } from "./domain/parameters.ts";
import { errors } from "./errors.ts";
import { insertPlainGrant } from "./grants.ts";
import type { State } from "./state.ts";
import type { Tables } from "./tables.ts";
import { soundParameters } from "./token.ts";

/**
 * Only for clients with a secret, so that only known applications handle passwords. Must not run inside a
 * transaction.
 */
export async function issueByPassword(
  context: Context<Tables, State>,
  given: GivenParameters,
  scopes: readonly string[],
): Promise<IssuedToken> {
  const parameters = soundParameters(given);
  const client = await authenticateClient(context, parameters);
  if (client.metadata.authMethod === "none")
    throw errors.unauthorizedClient("Only a client with a secret may ask for a person's password.");
  const { username, password } = parameters;
  if (username === undefined || password === undefined)
    throw errors.invalidRequest("username and password are required.");
  const outcome = await signInByPassword(context, { account: client.account, name: username, password });
  if (outcome.kind === "locked") {
    const headers = waitHeaders(outcome.waitMs);
    const message = `Too many failed attempts; try again in ${headers["retry-after"]} seconds.`;
    throw errors.tooManyAttempts(message, { headers });
  }
  if (outcome.kind !== "proven") throw errors.invalidGrant("The user name or password is wrong.");
  const grant = await context.transact((inner) =>
    insertPlainGrant(inner, client, outcome.user.id, scopes, ACCESS_TOKEN_SECONDS),
  );
  const { token, expiresInSeconds } = await issueAccessToken(context, client, grant);
  return {
    accessToken: token,
    expiresInSeconds,
    account: client.account,
    userId: outcome.user.id,
  };
}
