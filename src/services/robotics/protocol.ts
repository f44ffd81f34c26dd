/** HTTP Basic authentication with account credentials, and errors with code and message in JSON or XML. */
import { kernelErrors } from "#kernel/operation";
import {
  type Authenticated,
  type AuthenticationTools,
  basicCredentialsOf,
  bearer,
  bearerTokenOf,
  type ErrorToRender,
  type Protocol,
  plain,
  type Scheme,
  WrongCredential,
} from "#kernel/protocols";
import { errors } from "./errors.ts";
import { formatOf, mediaTypeOf } from "./wire/format.ts";
import { xmlOf } from "./wire/xml.ts";

const CHALLENGE = 'Basic realm="medley"';
/** Reasons for a rejected password, with the texts of the public service. */
const REFUSALS = {
  known: "Incorrect Token",
  expired: "Account Disabled, Contact Support",
  unknown: "Username Not Found",
} as const;

const scheme: Scheme = {
  security: { name: "basic", scheme: { type: "http", scheme: "basic" } },
  findShownSecret(call) {
    const given = basicCredentialsOf(call);
    return given ? { kind: "basic", secret: given.password } : bearer.findShownSecret?.(call);
  },
  authenticate(call, tools) {
    // Accepts an account token too, because the command line has no other credential.
    if (bearerTokenOf(call)) return bearer.authenticate(call, tools);
    const given = basicCredentialsOf(call);
    if (!given || given.username === "" || given.password === "")
      throw kernelErrors.unauthenticated("Unable To Determine Authorization Token", {
        headers: { "www-authenticate": CHALLENGE },
      });
    const found = tools.accounts.byPassword(given.username, given.password);
    return found && !(found instanceof Promise) ? { principal: found } : admitted(given, tools, found);
  },
};

async function admitted(
  { username, password }: { readonly username: string; readonly password: string },
  { accounts }: AuthenticationTools,
  found: ReturnType<AuthenticationTools["accounts"]["byPassword"]>,
): Promise<Authenticated> {
  const principal = await found;
  if (principal) return { principal };
  throw new WrongCredential(password, REFUSALS[await accounts.standingOf(username)], CHALLENGE);
}

/** Authentication errors have fixed texts. Other errors have a title and a message. */
const messageOf = ({ code, status, message }: ErrorToRender): string =>
  status === 401 ? message : `${code}: ${message}`;

const spoken = plain({
  scheme,
  errorSchema: {
    type: "object",
    required: ["code", "message"],
    properties: {
      code: { type: "integer", description: "The HTTP status.", examples: [404] },
      message: { type: "string", description: "What is wrong.", examples: ["Invalid Event Requested"] },
    },
  },
  errorNames: {
    malformedBody: [errors.malformedParameter.code, 400],
    invalidInput: [errors.malformedParameter.code, 400],
    routeNotFound: [errors.forbiddenCombination.code, 501],
    methodNotAllowed: [errors.forbiddenCombination.code, 501],
    timedOut: ["Service Unavailable", 503],
    unavailable: ["Service Unavailable", 503],
    internal: ["Internal Server Error", 500],
  },
});

export const protocol: Protocol = {
  ...spoken,
  renderError(error, call) {
    const format = formatOf(call.headers.accept);
    const body = { code: error.status, message: messageOf(error) };
    return {
      status: error.status,
      headers: { "content-type": mediaTypeOf(format) },
      body: format === "json" ? body : xmlOf("Error", body),
    };
  },
};
