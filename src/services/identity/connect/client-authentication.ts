/** Who is calling the token, revocation and introspection endpoints: a client, by its secret. */
import type { Context } from "#kernel/operation";
import { type Client, findClient, isSecretOf } from "../clients/client.ts";
import { errors } from "../errors.ts";
import type { ConnectTables } from "../tables.ts";
import { attempts } from "./attempts.ts";
import type { Parameters } from "./parameters.ts";

const FAILURES_PER_MINUTE_MAX = 30;
const RETRY_AFTER_SECONDS = "60";
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

/** The same answer in the same time for an unknown client and for a wrong secret. */
export async function authenticateClient(
  context: Context<ConnectTables>,
  parameters: Parameters,
): Promise<Client> {
  const shown = readShown(context, parameters);
  const failures = attempts(context);
  const name = `client:${shown.clientId.slice(0, 128)}:${context.request.remoteAddress}`;
  if (failures.isExhausted(name, FAILURES_PER_MINUTE_MAX))
    throw errors.tooManyAttempts("Too many failed attempts; try again in a minute.", {
      headers: { "retry-after": RETRY_AFTER_SECONDS },
    });
  const client = await findClient(context.db, shown.clientId);
  if (client && isProven(client, shown)) return client;
  if (!client) isSecretOf(undefined, shown.secret ?? "");
  failures.count(name);
  throw refused("Unknown client, or the client secret is wrong or missing.");
}

function isProven(client: Client, { secret, method }: Shown): boolean {
  const { authMethod } = client.metadata;
  if (authMethod === "none") return secret === undefined;
  const matches = isSecretOf(client, secret ?? "");
  return matches && (authMethod === undefined || authMethod === method);
}

export const clientErrors = [errors.invalidRequest, errors.invalidClient, errors.tooManyAttempts];
