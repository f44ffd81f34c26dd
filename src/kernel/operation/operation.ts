/** The declaration of one HTTP operation. It knows neither servers nor SQL drivers. */
import type { Static, TSchema } from "@sinclair/typebox";
import type { Answer } from "./answers.ts";
import type { Context } from "./context.ts";
import type { ErrorKind, ErrorMaker } from "./errors.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
/**
 * `stream`, alone: a large body of any type, which the handler gets as a `StreamedBody`. All others are read into
 * memory.
 */
export type BodyKind = "json" | "form" | "multipart" | "binary" | "text" | "stream";

/** No credential is needed. */
export const anyone = "anyone";

/** A file of a multipart form, as `body` holds it. */
export type UploadedFile = { readonly filename: string; readonly type: string; readonly bytes: Uint8Array };

/**
 * How the database is used. `write`: one transaction around the handler (the default of every method but GET and HEAD).
 * `read`: no transaction. `manual`: the handler does slow work and opens short transactions with `context.transact`.
 */
export type TransactionStyle = "read" | "write" | "manual";

/** What the kernel reads. Not generic on purpose: `Static<any>` costs the compiler seconds. */
export type Operation = {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: Method;
  /** `/groups/{name}`; `{function}:verb` for a verb after a colon; a trailing slash is always optional. */
  readonly path: string;
  /** The last parameter takes the rest of the path, slashes included. */
  readonly restOfPath?: boolean;
  /** Parameters with slashes, and the forms that they may have: `projects/{}`, `projects/{}/locations/{}`. */
  readonly segments?: Readonly<Record<string, readonly string[]>>;
  /** The action that policies decide on, such as `resource-groups:CreateGroup`; or `anyone`. */
  readonly permission: string;
  /**
   * For an operation without a required credential: a valid credential sets `request.knownCaller`, and has no other
   * effect.
   */
  readonly notesCallers?: boolean;
  /** Without a credential the protocol may still identify the caller. If it cannot, it refuses the request. */
  readonly credentialOptional?: boolean;
  /** Further permissions the caller needs as well. */
  readonly alsoNeeds?: readonly string[];
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  readonly bodyKinds?: readonly BodyKind[];
  readonly bodyOptional?: boolean;
  /** Refuses text and forms that are not among the kinds, instead of reading them as another kind. */
  readonly strictMediaTypes?: boolean;
  readonly bodyBytesMax?: number;
  /** The limit for objects and lists of the JSON body together, if it is higher than usual. */
  readonly bodyPartsMax?: number;
  /** The request log keeps nothing of a binary body, not even in memory. */
  readonly privateBody?: boolean;
  readonly urlBytesMax?: number;
  readonly timeoutSeconds?: number;
  /**
   * NUL and half surrogate pairs are allowed in the query or the JSON body, although no database stores them. The
   * handler must deal with them.
   */
  readonly acceptsNul?: boolean;
  readonly answers: Readonly<Record<number, TSchema>>;
  readonly errors?: readonly ErrorKind[];
  /** The service's own error for invalid input. */
  readonly inputError?: ErrorMaker;
  readonly transaction?: TransactionStyle;
  /**
   * The handler may read a standby that is some seconds behind. `if-allowed`: only if the request allows it with
   * `Cache-Control: max-stale`, because clients may read back what they wrote.
   */
  readonly mayBeOld?: "always" | "if-allowed";
  /** The name of the error shape, if the protocol has several. */
  readonly errorShape?: string;
  /** Pages of every origin may read the answers (CORS). */
  readonly crossOrigin?: boolean;
  /** Nobody may cache the answers. */
  readonly noStore?: boolean;
  /** Not part of the promised interface: excluded from the contract comparison. */
  readonly tags?: readonly string[];
  readonly examples?: OperationExamples;
  /** The resource that policies decide on; `*` when absent. */
  resource?(input: OperationInput, account: string, region: string): string;
  handle(input: OperationInput, context: Context): unknown;
};

export type OperationExamples = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer?: unknown;
};

// biome-ignore lint/suspicious/noExplicitAny: the typed view is OperationSpec; this is what the pipeline passes on.
export type OperationInput = { params: any; query: any; headers: any; body: any };

type Part<S> = S extends TSchema ? Static<S> : undefined;
type AnswersOf<A> = { [K in keyof A]: A[K] extends TSchema ? Static<A[K]> : never }[keyof A];
type Input<P, Q, H, B> = { params: Part<P>; query: Part<Q>; headers: Part<H>; body: Part<B> };
type Result<A> = AnswersOf<A> | Answer<AnswersOf<A> | undefined>;

/** What a service author writes. */
export type OperationSpec<Db, State, P, Q, H, B, A> = Omit<
  Operation,
  "params" | "query" | "headers" | "body" | "answers" | "handle" | "resource"
> & {
  readonly params?: P;
  readonly query?: Q;
  readonly headers?: H;
  readonly body?: B;
  readonly answers: A;
  resource?(input: Input<P, Q, H, B>, account: string, region: string): string;
  handle(input: Input<P, Q, H, B>, context: Context<Db, State>): Promise<Result<A>> | Result<A>;
};

/** Bound to the tables and state of a service, so that handlers get a typed `context.db` and `context.state`. */
export function operationsFor<Db, State = undefined>() {
  return <
    A extends Readonly<Record<number, TSchema>>,
    P extends TSchema | undefined = undefined,
    Q extends TSchema | undefined = undefined,
    H extends TSchema | undefined = undefined,
    B extends TSchema | undefined = undefined,
  >(
    spec: OperationSpec<Db, State, P, Q, H, B, A>,
  ): Operation => spec as Operation;
}

/** What the operations of a group have in common. An operation may override it. */
export const operationGroup = (
  shared: Partial<Operation>,
  operations: readonly Operation[],
): readonly Operation[] => operations.map((operation) => ({ ...shared, ...operation }));
