/** Plain JSON over HTTP, with whichever credential scheme and error body the service has. */
import type { Scheme } from "./credentials.ts";
import { errorSchemaOf } from "./error-schema.ts";
import { type ErrorToRender, type Protocol, plainErrorNames } from "./protocol.ts";

export type PlainOptions = {
  readonly scheme: Scheme;
  /** The service's own error body. */
  errorBody?(error: ErrorToRender): unknown;
  readonly errorSchema?: Protocol["errorSchema"];
  readonly errorNames?: Partial<Protocol["errorNames"]>;
};

const defaultErrorBody = ({ code, message }: ErrorToRender) => ({ error: { code, message } });
const defaultErrorSchema = errorSchemaOf(["code", "message"], {
  code: {
    type: ["string", "integer"],
    description: "A fixed name for programs.",
    examples: ["InvalidInput"],
  },
  message: {
    type: "string",
    description: "The same in words, for people.",
    examples: ["'name' must be given."],
  },
});

export function plain({
  scheme,
  errorBody = defaultErrorBody,
  errorSchema = defaultErrorSchema,
  errorNames,
}: PlainOptions): Protocol {
  return {
    name: "plain",
    errorNames: { ...plainErrorNames, ...errorNames },
    authenticate: scheme.authenticate,
    findShownSecret: scheme.findShownSecret,
    renderError: (error) => ({ status: error.status, headers: {}, body: errorBody(error) }),
    answerHeaders: ({ id }) => ({ "x-request-id": id }),
    security: scheme.security,
    errorSchema,
  };
}
