/** Credentials and error shapes: OAuth 2.0 errors, problem details for changes to clients, pages for people. */
import { STATUS_CODES } from "node:http";
import { digestOf } from "#kernel/auth";
import { kernelErrors, type Principal } from "#kernel/operation";
import {
  type Authenticated,
  type AuthenticationTools,
  asRenderedError,
  bearerTokenOf,
  type Call,
  type ErrorToRender,
  headerOf,
  type Protocol,
  type RenderedError,
  WrongCredential,
} from "#kernel/protocols";
import { findClientRowByRegistration, REGISTRATION, REGISTRATION_SCOPES } from "./clients/index.ts";
import { findOwner, type State } from "./connect/index.ts";
import { OWNER_COOKIE, OWNER_SIGN_IN_PATH, renderErrorPage } from "./pages/index.ts";
import { countAttempt, findCookie, forgetAttempts, inMinutes, limits, waitHeaders } from "./people/index.ts";

const DASHBOARD = /^((?:\/identity)?)\/dashboard(?:\/|$)/;

const CHALLENGE = 'Bearer realm="identity"';

// --- Credentials ---

async function authenticate(call: Call, tools: AuthenticationTools, state: State): Promise<Authenticated> {
  const dashboard = DASHBOARD.exec(call.rawPath);
  if (dashboard) {
    const signInPath = `${dashboard[1]}${OWNER_SIGN_IN_PATH}`;
    return { principal: await ownerOf(call, tools, state, signInPath) };
  }
  // Registration tokens are also shown bare, without the word Bearer.
  const token = bearerTokenOf(call) ?? headerOf(call, "authorization");
  if (!token)
    throw kernelErrors.unauthenticated("A bearer token is required.", {
      headers: { "www-authenticate": CHALLENGE },
    });
  const principal = (await tools.accounts.byToken(token)) ?? (await findRegistrant(token, tools));
  if (principal) return { principal };
  throw new WrongCredential(token, "The bearer token is not valid.", `${CHALLENGE}, error="invalid_token"`);
}

async function findRegistrant(
  token: string,
  { database }: AuthenticationTools,
): Promise<Principal | undefined> {
  const client = await findClientRowByRegistration(database.read, digestOf(token));
  return (
    client && {
      account: client.account,
      name: client.client_id,
      credentialKind: REGISTRATION,
      admin: false,
      scopes: REGISTRATION_SCOPES,
    }
  );
}

/** A person whose sign-in at the dashboard is missing or wrong is led to its sign-in page; a program is refused. */
const unknownOwner = (call: Call, message: string, signInPath: string) =>
  kernelErrors.unauthenticated(
    message,
    headerOf(call, "accept")?.includes("text/html") ? { headers: { location: signInPath } } : {},
  );

async function ownerOf(
  call: Call,
  tools: AuthenticationTools,
  state: State,
  signInPath: string,
): Promise<Principal> {
  if (call.method === "POST" && call.rawPath === signInPath) return signInOwner(call, tools, signInPath);
  const token = findCookie({ request: call }, OWNER_COOKIE);
  const { accounts, clock, database } = tools;
  const reader = { db: database.read, clock, secrets: accounts.secrets, state };
  const principal = token === undefined ? undefined : await findOwner(reader, token);
  if (!principal) throw unknownOwner(call, "Please sign in.", signInPath);
  return principal;
}

async function signInOwner(call: Call, tools: AuthenticationTools, signInPath: string): Promise<Principal> {
  const { bytes } = await call.body.receive();
  const form = new URLSearchParams(Buffer.from(bytes).toString("utf8"));
  const token = form.get("token") ?? "";
  // Tokens are too long to be guessed; only passwords need a limit.
  const principal =
    token === ""
      ? await findOwnerByPassword(form.get("username") ?? "", form.get("password") ?? "", tools)
      : await tools.accounts.byToken(token);
  if (principal && principal.subject === undefined) return principal;
  throw unknownOwner(call, "The name or the password is wrong.", `${signInPath}?failed=1`);
}

async function findOwnerByPassword(
  username: string,
  password: string,
  { accounts, clock, database }: AuthenticationTools,
): Promise<Principal | undefined> {
  const waitMs = await database.transact((db) => countAttempt({ db, clock }, limits.ownerName, username));
  if (waitMs !== undefined)
    throw kernelErrors.throttled(`Too many attempts. Please wait ${inMinutes(waitMs)}, or use a token.`, {
      headers: waitHeaders(waitMs),
    });
  const principal = await accounts.byPassword(username, password);
  if (principal) await database.transact((db) => forgetAttempts({ db }, limits.ownerName, username));
  return principal;
}

// --- Errors ---

/** A sign-in that is missing leads to where one signs in, whatever the errors look like otherwise. */
const leadsAway = ({ extras }: ErrorToRender): boolean => extras.headers?.location !== undefined;
const away: RenderedError = { status: 303, headers: {}, body: "" };

function renderError(error: ErrorToRender): RenderedError {
  const { status, code, message } = error;
  if (leadsAway(error)) return away;
  return { status, headers: {}, body: { error: code, error_description: plainText(message) } };
}
const renderAsPage = (error: ErrorToRender): RenderedError => {
  const { status, code, message } = error;
  if (leadsAway(error)) return away;
  return asRenderedError(renderErrorPage({ status, code, description: message }));
};
function renderProblem(error: ErrorToRender): RenderedError {
  const { status, code, message, extras } = error;
  if (leadsAway(error)) return away;
  return {
    status,
    headers: { "content-type": "application/problem+json" },
    body: {
      type: "about:blank",
      status,
      title: STATUS_CODES[status] ?? "Error",
      detail: message,
      error: code,
      ...(extras.target !== undefined && { member: extras.target }),
    },
  };
}
/** The characters that RFC 6749 allows in a description. */
const plainText = (message: string): string =>
  message
    .replaceAll('"', "'")
    .replaceAll("\\", "/")
    .replace(/[^\x20-\x7e]/g, "?");

export const identityProtocol: Protocol = {
  name: "oauth",
  errorNames: {
    malformedBody: ["invalid_request", 400],
    invalidInput: ["invalid_request", 400],
    unauthenticated: ["invalid_token", 401],
    forbidden: ["insufficient_scope", 403],
    routeNotFound: ["not_found", 404],
    methodNotAllowed: ["method_not_allowed", 405],
    bodyTooLarge: ["invalid_request", 413],
    urlTooLong: ["invalid_request", 414],
    headersTooLarge: ["invalid_request", 431],
    unsupportedMediaType: ["invalid_request", 415],
    timedOut: ["temporarily_unavailable", 503],
    conflict: ["conflict", 409],
    throttled: ["temporarily_unavailable", 429],
    unavailable: ["temporarily_unavailable", 503],
    internal: ["server_error", 500],
  },
  authenticate: (call, tools, _params, state: State) => authenticate(call, tools, state),
  renderError,
  errorShapes: {
    page: { mediaType: "text/html", schema: { type: "string" }, render: renderAsPage },
    /** RFC 9457; see the reference on client registration. */
    problem: {
      mediaType: "application/problem+json",
      schema: {
        type: "object",
        required: ["type", "status", "title", "detail", "error"],
        properties: {
          type: { type: "string", description: "The kind of problem.", examples: ["about:blank"] },
          status: { type: "integer", description: "The HTTP status.", examples: [400] },
          title: { type: "string", description: "The problem in a few words.", examples: ["Bad Request"] },
          detail: {
            type: "string",
            description: "What is wrong here.",
            examples: ["client_name must be given."],
          },
          error: {
            type: "string",
            description: "The problem's name in OpenID Connect.",
            examples: ["invalid_client_metadata"],
          },
          member: { type: "string", description: "The member it is about.", examples: ["client_name"] },
        },
      },
      render: renderProblem,
    },
  },
  answerHeaders: ({ id }) => ({ "x-request-id": id }),
  security: { name: "bearer", scheme: { type: "http", scheme: "bearer" } },
  errorSchema: {
    type: "object",
    required: ["error"],
    properties: {
      error: { type: "string", description: "The problem's name in OAuth.", examples: ["invalid_request"] },
      error_description: {
        type: "string",
        description: "What is wrong, in words for people.",
        examples: ["code must be given."],
      },
    },
  },
};
