/** Who is calling the token, revocation and introspection endpoints: a client, by its secret. */
import { networkOf } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import { type Client, findClient, isSecretOf, noteGuesses } from "../clients/index.ts";
import { countAttempt, findWaitMs, limits, rememberedMs, waitHeaders } from "../people/index.ts";
import type { Parameters } from "./domain/parameters.ts";
import { errors } from "./errors.ts";
import type { Tables } from "./tables.ts";

type Db = Context<Tables>;
const CHALLENGE = { headers: { "www-authenticate": 'Basic realm="identity", charset="UTF-8"' } };

type Shown = {
  readonly clientId: string;
  readonly secret: string | undefined;
  readonly method: "client_secret_basic" | "client_secret_post" | "none";
};

const refused = (message: string) => errors.invalidClient(message, CHALLENGE);

/** Both parts are form-encoded before they are joined (RFC 6749, 2.3.1). */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function findBasic(header: string | string[] | undefined): { name: string; password: string } | undefined {
  if (typeof header !== "string" || !/^basic /i.test(header)) return undefined;
  const text = Buffer.from(header.slice(6).trim(), "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) throw refused("The Authorization header is not valid HTTP Basic.");
  return { name: decoded(text.slice(0, colon)), password: decoded(text.slice(colon + 1)) };
}

function readShown(context: Context, { client_id: id, client_secret: secret }: Parameters): Shown {
  const basic = findBasic(context.request.headers.authorization);
  if (basic === undefined) {
    if (id === undefined) throw refused("The client has to authenticate: client_id is missing.");
    return { clientId: id, secret, method: secret === undefined ? "none" : "client_secret_post" };
  }
  if (id !== undefined && id !== basic.name)
    throw errors.invalidRequest("client_id differs from the one in the Authorization header.");
  // Some libraries send the secret both ways; only one that differs is a contradiction.
  if (secret !== undefined && secret !== basic.password)
    throw errors.invalidRequest("client_secret differs from the one in the Authorization header.");
  return { clientId: basic.name, secret: basic.password, method: "client_secret_basic" };
}

/**
 * An unknown client and a wrong secret get the same answer in the same time. A right secret costs one query for the
 * client's row, unless there were recent wrong guesses. Must not run inside a transaction.
 */
export async function authenticateClient(context: Db, parameters: Parameters): Promise<Client> {
  const shown = readShown(context, parameters);
  const client = await findClient(context.db, shown.clientId);
  if (!client) isSecretOf(undefined, shown.secret ?? "");
  if (!client || !isProven(client, shown)) {
    refuseGuesser(await context.transact((inner) => countFailure(inner, shown)));
    throw refused("Unknown client, or the client secret is wrong or missing.");
  }
  if (client.guessedUntilMs > context.clock.nowMs())
    refuseGuesser(await findWaitMs(context, limits.clientSecret, guesserOf(context, shown).about));
  return client;
}

type Guesser = { readonly network: string; readonly about: string };
function guesserOf({ request }: Db, { clientId }: Shown): Guesser {
  const network = networkOf(request.remoteAddress);
  return { network, about: `${clientId}\0${network}` };
}
/** Milliseconds to wait where too many have failed. Needs a transaction. */
async function countFailure(context: Db, shown: Shown): Promise<number | undefined> {
  const { network, about } = guesserOf(context, shown);
  const waitMs =
    (await countAttempt(context, limits.clientAddress, network)) ??
    (await countAttempt(context, limits.clientSecret, about));
  if (waitMs !== undefined) return waitMs;
  const guessedUntil = context.clock.nowMs() + rememberedMs(limits.clientSecret);
  await noteGuesses(context.db, shown.clientId, guessedUntil);
  return undefined;
}
function refuseGuesser(waitMs: number | undefined): void {
  if (waitMs === undefined) return;
  const headers = waitHeaders(waitMs);
  const message = `Too many failed attempts; try again in ${headers["retry-after"]} seconds.`;
  throw errors.tooManyAttempts(message, { headers });
}

function isProven(client: Client, { secret, method }: Shown): boolean {
  const { authMethod } = client.metadata;
  if (authMethod === "none") return secret === undefined;
  const matches = isSecretOf(client, secret ?? "");
  return matches && (authMethod === undefined || authMethod === method);
}

export const clientErrors = [errors.invalidRequest, errors.invalidClient, errors.tooManyAttempts];
