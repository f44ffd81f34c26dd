/** Signed rest-json services: Signature Version 4, named exceptions in `x-amzn-errortype`, `x-amzn-requestid`. */
import type { Principal } from "../../operation/context.ts";
import { type ErrorKind, ServiceError } from "../../operation/errors.ts";
import { headerOf } from "../credentials.ts";
import type { Authenticated, Protocol } from "../protocol.ts";
import { type Refusal, type SigV4Errors, sigV4Errors } from "./refusal.ts";
import { signSigV4 } from "./sign.ts";
import { type AccessKey, checkBodyHash, type Verification, verifySigV4 } from "./verify.ts";

export type SigV4Options = {
  /** The name that requests are signed for, such as `resource-groups`. */
  readonly signingName: string;
  /** Further names, if one address serves several services. */
  readonly otherSigningNames?: readonly string[];
  /** How the service spells the text member of an error body. */
  readonly messageMember?: "message" | "Message";
  readonly errorNames?: Partial<Protocol["errorNames"]>;
  /** What refused signatures are called, where that is not as in rest-json services. */
  readonly refusals?: SigV4Errors;
};

const VALIDATION = ["ValidationException", 400] as const;

function errorOf({ reason, message }: Refusal, refusals: SigV4Errors): ServiceError {
  const { name, status } = refusals[reason];
  return new ServiceError({ code: name, status }, message);
}

function knownBy(
  verification: Verification,
  principal: Principal | undefined,
  refusals: SigV4Errors,
): Authenticated {
  if (!verification.ok) throw errorOf(verification, refusals);
  if (!principal) throw new Error("a verified signature without a principal");
  return {
    principal,
    region: verification.region,
    checkBody(received) {
      const refusal = checkBodyHash(verification, received);
      if (refusal) throw errorOf(refusal, refusals);
    },
  };
}

const errorSchemaOf = (messageMember: string): Protocol["errorSchema"] => ({
  type: "object",
  required: [messageMember],
  properties: {
    __type: {
      type: "string",
      description: "The name of the error, where the operation's errors carry it in the body.",
      examples: ["ValidationException"],
    },
    [messageMember]: {
      type: "string",
      description: "What is wrong, in words for people.",
      examples: ["'name' must be given."],
    },
  },
});

export function sigv4(options: SigV4Options): Protocol {
  const { signingName, otherSigningNames = [], messageMember = "message", errorNames } = options;
  const { refusals = sigV4Errors } = options;
  const authenticationErrors: readonly ErrorKind[] = Object.values(refusals).map(({ name, status }) => ({
    code: name,
    status,
  }));
  const services = [signingName, ...otherSigningNames];
  return {
    name: "sigv4",
    errorNames: {
      malformedBody: ["SerializationException", 400],
      invalidInput: VALIDATION,
      unauthenticated: ["MissingAuthenticationTokenException", 403],
      forbidden: ["AccessDeniedException", 403],
      routeNotFound: ["UnknownOperationException", 404],
      methodNotAllowed: ["MethodNotAllowedException", 405],
      bodyTooLarge: ["RequestEntityTooLargeException", 413],
      urlTooLong: ["RequestUriTooLongException", 414],
      headersTooLarge: ["RequestHeadersTooLargeException", 431],
      unsupportedMediaType: ["UnsupportedMediaTypeException", 415],
      timedOut: ["ServiceUnavailableException", 503],
      conflict: ["ConflictException", 409],
      throttled: ["ThrottlingException", 429],
      unavailable: ["ServiceUnavailableException", 503],
      internal: ["InternalFailure", 500],
      ...errorNames,
    },
    authenticationErrors,
    resolvesPaths: true,
    // Neither a signature nor the secret behind it can be guessed.
    findShownSecret: (call) => ({ kind: "accessKey", secret: headerOf(call, "authorization") ?? "" }),
    authenticate(call, { accounts, clock, config }) {
      let principal: Principal | undefined;
      const { method, rawPath, rawQuery, rawHeaders, body } = call;
      const hashBody = async () => (await body.receive()).sha256;
      const request = { method, rawPath, rawQuery, rawHeaders, hashBody };
      const keep = (found: { key: AccessKey; principal: Principal } | undefined) => {
        principal = found?.principal;
        return found?.key;
      };
      const known = (verification: Verification) => knownBy(verification, principal, refusals);
      const verifying = verifySigV4(request, {
        // Callers sign with their own clock, so moved kernel time does not apply.
        nowMs: clock.machineNowMs(),
        keysNowMs: clock.nowMs(),
        services,
        allowsUnsignedPayload: config.allowUnsignedPayload,
        findKey(id) {
          const found = accounts.findAccessKey(id);
          return found instanceof Promise ? found.then(keep) : keep(found);
        },
      });
      return verifying instanceof Promise ? verifying.then(known) : known(verifying);
    },
    renderError: ({ status, code, message, extras }) => ({
      status,
      headers: { "x-amzn-errortype": code },
      body: { __type: code, [messageMember]: message, ...extras.fields },
    }),
    sign: (request, scope) => signSigV4(request, { ...scope, service: signingName }),
    answerHeaders: ({ id }) => ({ "x-amzn-requestid": id }),
    security: {
      name: "sigv4",
      scheme: {
        type: "apiKey",
        in: "header",
        name: "Authorization",
        description: `Signature Version 4, signed for ${services.join(" or ")}.`,
        "x-amazon-apigateway-authtype": "awsSigv4",
      },
    },
    errorSchema: errorSchemaOf(messageMember),
  };
}
