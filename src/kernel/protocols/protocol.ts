/** A protocol bundles what a family of services shares: authentication, error body, paging and long-running style. */
import type { Accounts } from "../auth/accounts.ts";
import type { Clock } from "../clock/clock.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { Principal } from "../operation/context.ts";
import type { ErrorExtras, ErrorKind, KernelErrorName } from "../operation/errors.ts";
import type { SharedWords } from "../operation/shared-words.ts";
import type { RequestToSign, SigningScope } from "./sigv4/sign.ts";

/** A request as it came in, before anything was decoded. */
export type Call = {
  readonly id: string;
  readonly method: string;
  /** Path exactly as received, with its mount and without the query. */
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Behind trusted proxies, whom they forward for. */
  callerAddress(): string;
  readonly body: CallBody;
};
/** A stranger's body is not read: only credentials that it is part of ask for it, when everything else about them is right. */
export type CallBody = { receive(): Promise<ReceivedBody> };
export type ReceivedBody = {
  /** None of a body that was streamed to disk. */
  readonly bytes: Uint8Array;
  /** In hex. */
  readonly sha256: string;
};
export type Authenticated = {
  readonly principal: Principal;
  readonly region?: string;
  /** What the called address stands for: policies decide on it where an operation names no resource of its own. */
  readonly resource?: string;
  /** What the credential says of the body, asked once it has arrived. Throws a ServiceError where that is not so. */
  checkBody?(body: ReceivedBody): void | Promise<void>;
  /** What a body says that came encrypted, asked after `checkBody`. Throws a ServiceError where it cannot be read. */
  openBody?(bytes: Uint8Array): Buffer;
};

export type AuthenticationTools = {
  readonly accounts: Accounts;
  readonly config: Pick<Config, "allowUnsignedPayload">;
  readonly clock: Clock;
  /** For credentials that a service keeps itself. */
  readonly database: Pick<Database, "read" | "transact">;
};
/** What a caller shows of a credential, before anybody knows whether it is right. */
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

/** How errors look that are not spelt the protocol's usual way: pages for people, problem details. */
export type ErrorShape = {
  readonly mediaType: string;
  readonly schema: Readonly<Record<string, unknown>>;
  render(error: ErrorToRender): RenderedError;
};

export type Protocol = {
  readonly name: string;
  readonly caseInsensitivePaths?: boolean;
  /** Names that all queries may have: where there are any, they and those that operations declare are read in any case. */
  readonly anyCaseNames?: readonly string[];
  /** Where the maker refuses names that nobody declared: those that are passed over all the same, because clients send back what they read. */
  readonly readOnlyNames?: ReadonlySet<string>;
  /** Whether `.`, `..` and empty segments are resolved, as the callers' signatures have it. */
  readonly resolvesPaths?: boolean;
  /** Undefined where none is shown. */
  readonly findShownSecret?: ((call: Call) => ShownSecret | undefined) | undefined;
  readonly errorNames: Readonly<Record<KernelErrorName, readonly [code: string, status: number]>>;
  /** Error kinds that authentication itself may report, beyond the kernel's own. */
  readonly authenticationErrors?: readonly ErrorKind[];
  /** Throws a ServiceError when the credential is missing or wrong. `params` are the path's, decoded; `state` is the service's own. */
  authenticate(
    call: Call,
    tools: AuthenticationTools,
    params: PathParams,
    // biome-ignore lint/suspicious/noExplicitAny: what the called service's `start` returned.
    state: any,
  ): Authenticated | Promise<Authenticated>;
  /** A check on every call after authentication, such as a required version parameter. */
  check?(call: Call): void;
  renderError(error: ErrorToRender, call: AnsweredCall): RenderedError;
  /** Further shapes of errors, by the name that operations declare. */
  readonly errorShapes?: Readonly<Record<string, ErrorShape>>;
  /** Headers on every answer. */
  answerHeaders(call: AnsweredCall): Readonly<Record<string, string>>;
  /** Headers that vouch for an answer, such as a signature of its body; undefined where there are none to add. */
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
  /** For documentation, where a declaration says nothing of its own. */
  readonly sharedWords?: SharedWords;
  /** JSON schema of the error body, for documentation. */
  readonly errorSchema: Readonly<Record<string, unknown>>;
};

/** The shape that an operation declares for its errors; undefined for the protocol's usual one. */
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
