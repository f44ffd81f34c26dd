/**
 * Protocol of a store's endpoint: signed requests or bearer tokens, problem details, and special media
 * types.
 */
import { parseInstant } from "#kernel/clock";
import { kernelErrors } from "#kernel/operation";
import { isPrivateAddress } from "#kernel/outbound";
import {
  type Authenticated,
  type AuthenticationTools,
  bearerTokenOf,
  type Call,
  type ErrorToRender,
  headerOf,
  type Protocol,
  plainErrorNames,
} from "#kernel/protocols";
import { endpointPathOf } from "../endpoint.ts";
import { errors, invalidArgument } from "../errors.ts";
import type { State } from "../state.ts";
import { findAccessKey, findStore } from "../store/index.ts";
import type { StoreRow } from "../tables.ts";
import {
  checkBodyHash,
  checkedText,
  isSigned,
  isSignedWith,
  parseAuthorization,
  SignatureProblem,
  textsBelowEndpoint,
} from "./signature.ts";

export const PERMISSIONS = "Vendor.AppConfiguration/configurationStores";
const READING = [`${PERMISSIONS}/keyValues/read`, `${PERMISSIONS}/snapshots/read`];
const EVERYTHING = [`${PERMISSIONS}/keyValues/*`, `${PERMISSIONS}/snapshots/*`];
const PROBLEM_TYPES = "https://vendor.example/configuration/errors";
const OLDEST_DATED_VERSION = "2022-11-01";

const TITLES: Readonly<Record<string, string>> = {
  "invalid-argument": "Invalid request",
  unauthorized: "Unauthorized",
  forbidden: "Forbidden",
  "not-found": "Not found",
  "method-not-allowed": "Method not allowed",
  "key-locked": "The key is locked",
  "already-exists": "The resource already exists.",
  "invalid-state": "Target resource state invalid.",
  "precondition-failed": "Precondition failed",
  "request-entity-too-large": "The request is too large",
  "too-many-requests": "Resource utilization has surpassed the assigned quota",
};

const refused = (description: string) =>
  kernelErrors.unauthenticated(description, {
    headers: {
      "www-authenticate": `HMAC-SHA256 error="invalid_token", error_description="${description}", Bearer`,
    },
  });

/** The store of the called endpoint. */
type Called = Pick<State, "openedSecrets"> & { readonly store: string };

async function principalOfSignature(
  call: Call,
  header: string,
  { accounts, clock, database }: AuthenticationTools,
  { store, openedSecrets }: Called,
): Promise<Authenticated> {
  const authorization = parseAuthorization(header);
  const pathAndQuery = call.rawQuery === "" ? call.rawPath : `${call.rawPath}?${call.rawQuery}`;
  // Callers sign with the real time, so time travel of this server's clock must not apply.
  const signed = { method: call.method, headers: call.headers, pathAndQuery };
  const checked = checkedText(signed, authorization, clock.machineNowMs(), parseInstant);
  const key = await findAccessKey(database.read, authorization.credential);
  if (!key || key.store !== store) throw new SignatureProblem("Invalid Credential");
  const secret = openedSecrets.open(key.secret, accounts.secrets);
  const isRight = (text: string) => isSignedWith(secret, text, authorization.signature);
  const others = () => textsBelowEndpoint(signed, authorization, endpointPathOf(call.rawPath, store));
  if (!isRight(checked.text) && !others().some(isRight)) throw new SignatureProblem("Invalid Signature");
  refuseOtherNetworks(call, key);
  const principal = {
    account: key.account,
    name: key.id,
    credentialKind: "configurationKey",
    admin: false,
    scopes: key.read_only === 1 ? READING : EVERYTHING,
  };
  return {
    principal,
    resource: key.resource_id,
    checkBody: ({ sha256 }) => refusingProblems(() => checkBodyHash(checked, sha256)),
  };
}

/** Checked after authentication, so that unknown callers do not learn a store's settings. */
function refuseOtherNetworks(call: Call, { network }: Pick<StoreRow, "network">): void {
  if (network === "open" || (network === "private" && isPrivateAddress(call.callerAddress()))) return;
  throw kernelErrors.forbidden(
    network === "private"
      ? "The store has no public network access; it is reached by its private endpoint."
      : "The store has no public network access, and no approved private endpoint connection to reach it by.",
  );
}

function refusingProblems(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw refusalOf(error);
  }
}
const refusalOf = (error: unknown): unknown =>
  error instanceof SignatureProblem ? refused(error.message) : error;

async function principalOfToken(
  call: Call,
  token: string,
  { accounts, database }: AuthenticationTools,
  store: string,
): Promise<Authenticated> {
  const principal = await accounts.byToken(token);
  if (!principal) throw refused("Invalid token");
  const found = await findStore(database.read, store);
  // A store of another account is indistinguishable from a missing one.
  if (found?.account !== principal.account)
    throw kernelErrors.forbidden(`The caller has no access to a store named ${store}.`);
  refuseOtherNetworks(call, found);
  return { principal, resource: found.resource_id };
}

async function authenticate(call: Call, tools: AuthenticationTools, called: Called): Promise<Authenticated> {
  const header = headerOf(call, "authorization") ?? "";
  const token = bearerTokenOf(call);
  if (token !== undefined) return principalOfToken(call, token, tools, called.store);
  if (!isSigned(header))
    throw kernelErrors.unauthenticated("The request is neither signed nor does it carry a bearer token.", {
      headers: { "www-authenticate": "HMAC-SHA256, Bearer" },
    });
  try {
    return await principalOfSignature(call, header, tools, called);
  } catch (error) {
    throw refusalOf(error);
  }
}

function requireApiVersion({ query }: Call): void {
  const version = query["api-version"];
  if (version === undefined || version === "")
    throw invalidArgument("api-version", "An API version is required, but was not specified.");
  if (Array.isArray(version))
    throw invalidArgument("api-version", "At most, only a single API version may be specified.");
  const known =
    version === "1.0" ||
    (/^\d{4}-\d{2}-\d{2}(?:-preview)?$/.test(String(version)) && String(version) >= OLDEST_DATED_VERSION);
  if (!known)
    throw invalidArgument(
      "api-version",
      `The API version '${String(version).slice(0, 40)}' is not supported; 1.0 and those since ${OLDEST_DATED_VERSION} are.`,
    );
}

const bodyOf = ({ code, status, message, extras }: ErrorToRender) => ({
  type: `${PROBLEM_TYPES}/${code}`,
  title: TITLES[code] ?? code,
  ...(extras.target !== undefined && { name: extras.target }),
  detail: message,
  status,
  ...extras.fields,
});

const INVALID = ["invalid-argument", 400] as const;

export const storeProtocol: Protocol = {
  name: "configuration-data",
  errorNames: {
    ...plainErrorNames,
    malformedBody: INVALID,
    invalidInput: INVALID,
    unauthenticated: ["unauthorized", 401],
    forbidden: ["forbidden", 403],
    routeNotFound: ["not-found", 404],
    methodNotAllowed: ["method-not-allowed", 405],
    bodyTooLarge: ["request-entity-too-large", 413],
    unsupportedMediaType: ["unsupported-media-type", 415],
    throttled: ["too-many-requests", 429],
    conflict: ["conflict", 409],
    internal: ["internal-error", 500],
  },
  authenticationErrors: [errors.invalidArgument],
  authenticate: (call, tools, { store = "" }, { openedSecrets }: State) =>
    authenticate(call, tools, { store: store.toLowerCase(), openedSecrets }),
  check: requireApiVersion,
  renderError: (error) => ({
    status: error.status,
    headers: {
      "content-type": "application/problem+json; charset=utf-8",
      ...(error.status === 429 && { "retry-after-ms": "1000" }),
    },
    body: bodyOf(error),
  }),
  answerHeaders: ({ id }) => ({ "x-vendor-request-id": id }),
  security: {
    name: "accessKey",
    scheme: {
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description: "HMAC-SHA256 with one of the store's access keys, or a bearer token of its account.",
    },
  },
  errorSchema: {
    type: "object",
    required: ["type", "title", "status"],
    properties: {
      type: {
        type: "string",
        description: "The kind of problem, as an address.",
        examples: [`${PROBLEM_TYPES}/invalid-argument`],
      },
      title: {
        type: "string",
        description: "The problem in a few words.",
        examples: ["Invalid request parameter 'after'"],
      },
      name: { type: "string", description: "The parameter it is about.", examples: ["after"] },
      detail: { type: "string", description: "More about it.", examples: ["It was made by another store."] },
      status: { type: "integer", description: "The HTTP status.", examples: [400] },
    },
  },
};
