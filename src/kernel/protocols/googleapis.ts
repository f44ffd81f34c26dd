/** googleapis style: OAuth 2.0 bearer, colon verbs, `{error:{code,message,status,details}}`. */
import { bearer } from "./credentials.ts";
import { errorSchemaOf } from "./error-schema.ts";
import type { Protocol } from "./protocol.ts";

const errorSchema = errorSchemaOf(["code", "message", "status"], {
  code: { type: "integer", description: "The HTTP status.", examples: [404] },
  message: {
    type: "string",
    description: "What is wrong, in words for people.",
    examples: ["Resource was not found."],
  },
  status: { type: "string", description: "The canonical name of the error.", examples: ["NOT_FOUND"] },
  details: {
    type: "array",
    description: "More about it, each of a kind of its own.",
    items: { type: "object" },
    examples: [[]],
  },
});

/** `code` of a declared error is the canonical status name, such as `NOT_FOUND`. */
export const googleapis: Protocol = {
  name: "googleapis",
  readOnlyNames: new Set(["auditConfigs", "createTime", "state", "stateMessages", "updateTime"]),
  errorNames: {
    malformedBody: ["INVALID_ARGUMENT", 400],
    invalidInput: ["INVALID_ARGUMENT", 400],
    unauthenticated: ["UNAUTHENTICATED", 401],
    forbidden: ["PERMISSION_DENIED", 403],
    routeNotFound: ["NOT_FOUND", 404],
    methodNotAllowed: ["UNIMPLEMENTED", 405],
    bodyTooLarge: ["INVALID_ARGUMENT", 413],
    urlTooLong: ["INVALID_ARGUMENT", 414],
    headersTooLarge: ["INVALID_ARGUMENT", 431],
    unsupportedMediaType: ["INVALID_ARGUMENT", 415],
    timedOut: ["DEADLINE_EXCEEDED", 504],
    conflict: ["ABORTED", 409],
    throttled: ["RESOURCE_EXHAUSTED", 429],
    unavailable: ["UNAVAILABLE", 503],
    internal: ["INTERNAL", 500],
  },
  authenticate: bearer.authenticate,
  findShownSecret: bearer.findShownSecret,
  renderError: ({ status, code, message, extras }) => ({
    status,
    headers: {},
    body: {
      error: {
        code: status,
        message,
        status: code,
        ...(extras.details !== undefined && { details: extras.details }),
        ...extras.fields,
      },
    },
  }),
  answerHeaders: ({ id }) => ({ "x-request-id": id }),
  security: bearer.security,
  errorSchema,
};
