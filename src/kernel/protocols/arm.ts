/** Resource-manager style: OAuth 2.0 bearer, `api-version`, case-insensitive paths, `{error:{code,message}}`. */

import { ServiceError } from "../operation/errors.ts";
import { bearer } from "./credentials.ts";
import { errorSchemaOf } from "./error-schema.ts";
import type { Protocol } from "./protocol.ts";

const INVALID = ["InvalidRequestContent", 400] as const;

const told = {
  code: { type: "string", description: "A fixed name for programs.", examples: ["InvalidRequestContent"] },
  message: {
    type: "string",
    description: "The same in words, for people.",
    examples: ["'location' must be given."],
  },
  target: { type: "string", description: "What it is about.", examples: ["location"] },
};
const errorSchema = errorSchemaOf(["code", "message"], {
  ...told,
  details: {
    type: "array",
    description: "Each fault by itself, where there are several.",
    items: { type: "object", required: ["code", "message"], properties: told },
  },
});

/** A missing version is refused; each provider decides which ones it supports. */
function requireApiVersion(query: Readonly<Record<string, unknown>>): void {
  const version = query["api-version"];
  if (typeof version === "string" && version !== "") return;
  throw new ServiceError(
    { code: "MissingApiVersionParameter", status: 400 },
    "The api-version query parameter (?api-version=) is required for all requests.",
  );
}

export const arm: Protocol = {
  name: "arm",
  caseInsensitivePaths: true,
  anyCaseNames: ["api-version"],
  errorNames: {
    malformedBody: INVALID,
    invalidInput: INVALID,
    unauthenticated: ["AuthenticationFailed", 401],
    forbidden: ["AuthorizationFailed", 403],
    routeNotFound: ["ResourceNotFound", 404],
    methodNotAllowed: ["MethodNotAllowed", 405],
    bodyTooLarge: ["RequestEntityTooLarge", 413],
    urlTooLong: ["RequestUriTooLong", 414],
    headersTooLarge: ["RequestHeaderFieldsTooLarge", 431],
    unsupportedMediaType: ["UnsupportedMediaType", 415],
    timedOut: ["GatewayTimeout", 504],
    conflict: ["Conflict", 409],
    throttled: ["TooManyRequests", 429],
    unavailable: ["ServiceUnavailable", 503],
    internal: ["InternalServerError", 500],
  },
  authenticationErrors: [{ code: "MissingApiVersionParameter", status: 400 }],
  authenticate: bearer.authenticate,
  findShownSecret: bearer.findShownSecret,
  check: (call) => requireApiVersion(call.query),
  renderError: ({ status, code, message, extras }) => ({
    status,
    headers: { "x-ms-error-code": code },
    body: {
      error: {
        code,
        message,
        ...(extras.target !== undefined && { target: extras.target }),
        ...(extras.details !== undefined && { details: extras.details.map((one) => ({ code, ...one })) }),
        ...extras.fields,
      },
    },
  }),
  answerHeaders: ({ id }) => ({
    "x-request-id": id,
    "x-ms-request-id": id,
    "x-ms-correlation-request-id": id,
  }),
  security: bearer.security,
  errorSchema,
};
