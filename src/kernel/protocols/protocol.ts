/** A protocol is what a family of services shares: authentication, error body, paging and long-running style. */
import type { Accounts } from "../auth/accounts.ts";
import type { Clock } from "../clock/clock.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { Principal } from "../operation/context.ts";
import type { ErrorExtras, ErrorKind, KernelErrorName } from "../operation/errors.ts";
import type { SharedWords } from "../operation/shared-words.ts";
import type { RequestToSign, SigningScope } from "./sigv4/sign.ts";

/** A request before anything is decoded. */
export type Call = {
  readonly id: string;
  readonly method: string;
  /** The path exactly as received, with its mount and without the query. */
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Behind trusted proxies, the forwarded address. */
  callerAddress(): string;
  readonly body: CallBody;
};
/**
 * The body of an unknown caller is not read. Only a credential that covers the body asks for it, after everything
 * else was verified.
 */
export type CallBody = { receive(): Promise<ReceivedBody> };
export type ReceivedBody = {
  /** Empty for a body that was streamed to disk. */
  readonly bytes: Uint8Array;
  /** In hex. */
  readonly sha256: string;
};
export type Authenticated = {
  readonly principal: Principal;
  readonly region?: string;
  /** The resource of the called address, for policies if an operation names none. */
  readonly resource?: string;
  /** Checks the body against the credential after it has arrived. Throws a ServiceError. */
  checkBody?(body: ReceivedBody): void | Promise<void>;
  /** Decrypts a body, after `checkBody`. Throws a ServiceError if it cannot. */
  openBody?(bytes: Uint8Array): Buffer;
};

export type AuthenticationTools = {
  readonly accounts: Accounts;
  readonly config: Pick<Config, "allowUnsignedPayload">;
  readonly clock: Clock;
  /** For services with their own credentials. */
  readonly database: Pick<Database, "read" | "transact">;
};
/** A credential as the caller sent it, before it is verified. */
export type ShownSecret = {
  readonly kind: "apiKey" | "token" | "basic" | "accessKey";
  readonly secret: string;
};
export type PathParams = Readonly<Record<string, string | undefined>>;
export type RenderedError = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};
export type ErrorToRender = {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly extras: ErrorExtras;
};

export type AnsweredCall = { readonly id: string; readonly headers: Call["headers"] };

/** Error shapes that differ from the protocol's usual one: pages for people, problem details. */
export type ErrorShape = {
  readonly mediaType: string;
  readonly schema: Readonly<Record<string, unknown>>;
  render(error: ErrorToRender): RenderedError;
};

export type Protocol = {
  readonly name: string;
  readonly caseInsensitivePaths?: boolean;
  /** Query names of all operations. If there are any, these and declared names ignore case. */
  readonly anyCaseNames?: readonly string[];
  /**
   * For makers that refuse undeclared names: names that are ignored nevertheless, because clients send back what
   * they read.
   */
  readonly readOnlyNames?: ReadonlySet<string>;
  /** Whether `.`, `..` and empty segments are resolved, as the signatures of callers do. */
  readonly resolvesPaths?: boolean;
  /** Undefined if the request has none. */
  readonly findShownSecret?: ((call: Call) => ShownSecret | undefined) | undefined;
  readonly errorNames: Readonly<Record<KernelErrorName, readonly [code: string, status: number]>>;
  /** Error kinds that authentication itself may report, beyond the kernel's own. */
  readonly authenticationErrors?: readonly ErrorKind[];
  /**
   * Throws a ServiceError if the credential is missing or wrong. `params`: decoded path parameters; `state`: the
   * service's own.
   */
  authenticate(
    call: Call,
    tools: AuthenticationTools,
    params: PathParams,
    // biome-ignore lint/suspicious/noExplicitAny: what the called service's `start` returned.
    state: any,
  ): Authenticated | Promise<Authenticated>;
  /** A check of every call after authentication, such as a required version parameter. */
  check?(call: Call): void;
  renderError(error: ErrorToRender, call: AnsweredCall): RenderedError;
  /** Further shapes of errors, by the name that operations declare. */
  readonly errorShapes?: Readonly<Record<string, ErrorShape>>;
  /** Headers on every answer. */
  answerHeaders(call: AnsweredCall): Readonly<Record<string, string>>;
  /** Headers that authenticate an answer, such as a signature of its body; undefined if there are none. */
  signAnswer?(
    call: AnsweredCall,
    body: string | Uint8Array,
    // biome-ignore lint/suspicious/noExplicitAny: what the called service's `start` returned.
    state: any,
  ): Promise<Readonly<Record<string, string>>> | undefined;
  /** For signed protocols: the headers that sign a request of our own. */
  sign?(request: RequestToSign, scope: Omit<SigningScope, "service">): Record<string, string>;
  /** OpenAPI security scheme. */
  readonly security:
    | { readonly name: string; readonly scheme: Readonly<Record<string, unknown>> }
    | undefined;
  /** For documentation, if a declaration has no description. */
  readonly sharedWords?: SharedWords;
  /** JSON schema of the error body, for documentation. */
  readonly errorSchema: Readonly<Record<string, unknown>>;
};

/** The error shape that an operation declares; undefined for the protocol's usual one. */
export function findErrorShape(
  protocol: Protocol,
  { id, errorShape }: { readonly id: string; readonly errorShape?: string },
): ErrorShape | undefined {
  if (errorShape === undefined) return undefined;
  const shape = protocol.errorShapes?.[errorShape];
  if (!shape)
    throw new Error(`${id}: the protocol ${protocol.name} has no errors of the shape ${errorShape}`);
  return shape;
}

export const plainErrorNames: Protocol["errorNames"] = {
  malformedBody: ["MalformedBody", 400],
  invalidInput: ["InvalidInput", 400],
  unauthenticated: ["Unauthorized", 401],
  forbidden: ["Forbidden", 403],
  routeNotFound: ["NotFound", 404],
  methodNotAllowed: ["MethodNotAllowed", 405],
  bodyTooLarge: ["PayloadTooLarge", 413],
  urlTooLong: ["UriTooLong", 414],
  headersTooLarge: ["HeadersTooLarge", 431],
  unsupportedMediaType: ["UnsupportedMediaType", 415],
  timedOut: ["TimedOut", 503],
  conflict: ["Conflict", 409],
  throttled: ["TooManyRequests", 429],
  unavailable: ["ServiceUnavailable", 503],
  internal: ["InternalError", 500],
};
