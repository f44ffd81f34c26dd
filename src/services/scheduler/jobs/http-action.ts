/** Performs an HTTP action with its credentials, through the guarded outbound client. */
import type { Context } from "#kernel/operation";
import { OutboundError, type OutboundRequest, type OutboundResponse } from "#kernel/outbound";
import type { HttpAuthentication, HttpRequest, KeptSecret } from "../domain/index.ts";

/** Result of an attempt. The history shows the message. */
export type Outcome = {
  readonly succeeded: boolean;
  readonly message: string;
};

const TIMEOUT_MS = 60_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const EXCERPT_LENGTH_MAX = 1_000;
const MESSAGE_LENGTH_MAX = 4_000;

/**
 * The public authority. A tenant can also be the full URL of a token endpoint, for example on this machine.
 */
const tokenEndpointOf = (tenant: string): string =>
  /^https?:\/\//i.test(tenant)
    ? tenant
    : `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/token`;

class ActionFailed extends Error {}

const isPlainText = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters tell bytes from text
  !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd]/.test(text);

function excerptOf({ body, truncated }: OutboundResponse): string {
  if (body.length === 0) return "";
  const text = body.toString("utf8");
  if (!isPlainText(text)) return ` It sent ${body.length} bytes.`;
  const cut = truncated || text.length > EXCERPT_LENGTH_MAX;
  return ` Body: ${text.slice(0, EXCERPT_LENGTH_MAX)}${cut ? "…" : ""}`;
}

async function fetchToken(
  context: Context,
  { tenant, audience, clientId }: Extract<HttpAuthentication, { type: "ActiveDirectoryOAuth" }>,
  secret: string,
): Promise<string> {
  const url = tokenEndpointOf(tenant);
  const answer = await context.outbound.request({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: secret,
      resource: audience,
    }).toString(),
    timeoutMs: TIMEOUT_MS,
    responseBytesMax: ANSWER_BYTES_MAX,
    redirectsMax: 0,
  });
  const token = findAccessToken(answer.body.toString("utf8"));
  if (answer.status === 200 && token !== undefined) return token;
  throw new ActionFailed(
    `No access token was issued: ${new URL(url).origin} answered ${answer.status} to the request for one.`,
  );
}
function findAccessToken(text: string): string | undefined {
  try {
    const { access_token: token } = JSON.parse(text) as { access_token?: unknown };
    return typeof token === "string" && token !== "" ? token : undefined;
  } catch {
    return undefined;
  }
}

async function credentialsOf(
  context: Context,
  authentication: HttpAuthentication | undefined,
  secret: KeptSecret | undefined,
): Promise<Pick<OutboundRequest, "basic" | "clientCertificate"> & { bearer?: string }> {
  if (authentication === undefined || authentication.type === "NotSpecified") return {};
  if (secret === undefined)
    throw new ActionFailed("The job's secrets cannot be read on this instance. Define them again.");
  const { password = "", pfx = "", secret: clientSecret = "" } = secret.values;
  if (authentication.type === "Basic") return { basic: { username: authentication.username, password } };
  if (authentication.type === "ActiveDirectoryOAuth")
    return { bearer: await fetchToken(context, authentication, clientSecret) };
  return { clientCertificate: { pfx: Buffer.from(pfx, "base64"), passphrase: password } };
}

async function send(
  context: Context,
  request: HttpRequest,
  secret: KeptSecret | undefined,
  ownHeaders: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { bearer, ...credentials } = await credentialsOf(context, request.authentication, secret);
  const answer = await context.outbound.request({
    method: request.method,
    url: request.uri,
    headers: {
      ...ownHeaders,
      ...request.headers,
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    },
    ...(request.body !== undefined && { body: request.body }),
    ...credentials,
    timeoutMs: TIMEOUT_MS,
    responseBytesMax: ANSWER_BYTES_MAX,
    whenTooLarge: "truncate",
  });
  // The message omits the query, which often contains keys.
  const { origin, pathname } = new URL(request.uri);
  const message = `${request.method} ${origin}${pathname} answered ${answer.status}.${excerptOf(answer)}`;
  return { succeeded: answer.status >= 200 && answer.status <= 299, message };
}

/** Never throws: every failure becomes an outcome. */
export async function performRequest(
  context: Context,
  request: HttpRequest,
  secret: KeptSecret | undefined,
  ownHeaders: Readonly<Record<string, string>>,
): Promise<Outcome> {
  try {
    const { succeeded, message } = await send(context, request, secret, ownHeaders);
    return { succeeded, message: message.slice(0, MESSAGE_LENGTH_MAX) };
  } catch (error) {
    if (error instanceof OutboundError)
      return { succeeded: false, message: `The request was not answered: ${error.message}` };
    if (error instanceof ActionFailed) return { succeeded: false, message: error.message };
    context.log.error("an HTTP action of a job broke off", { error: String(error) });
    return { succeeded: false, message: "The request could not be carried out." };
  }
}
