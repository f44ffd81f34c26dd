/** The declaration language: everything about one HTTP operation, said once. Knows nothing of servers or SQL drivers. */
import type { Static, TSchema } from "@sinclair/typebox";
import type { Answer } from "./answers.ts";
import type { Context } from "./context.ts";
import type { ErrorKind, ErrorMaker } from "./errors.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
/** `stream`, alone: a large body of any type, which the handler gets as a `StreamedBody`. The others are read into memory. */
export type BodyKind = "json" | "form" | "multipart" | "binary" | "text" | "stream";

/** No credential is asked for. */
export const anyone = "anyone";

/** A file of a multipart form, as `body` holds it. */
export type UploadedFile = { readonly filename: string; readonly type: string; readonly bytes: Uint8Array };

/**
 * How the database is used. `write`: one transaction around the handler (the default of every method but GET and HEAD).
 * `read`: no transaction. `manual`: the handler does slow work and opens short transactions with `context.transact`.
 */
export type TransactionStyle = "read" | "write" | "manual";

/** What the kernel reads. Deliberately not generic: `Static<any>` costs the compiler seconds. */
export type Operation = {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: Method;
  /** `/groups/{name}`; `{function}:verb` for a verb after a colon; a trailing slash is always optional. */
  readonly path: string;
  /** The last parameter takes all that is left of the path, slashes and all. */
  readonly restOfPath?: boolean;
  /** Parameters that hold slashes, by the forms they may have: `projects/{}`, `projects/{}/locations/{}`. */
  readonly segments?: Readonly<Record<string, readonly string[]>>;
  /** The action that policies decide on, such as `resource-groups:CreateGroup`; or `anyone`. */
  readonly permission: string;
  /** Of an operation for anyone: who shows a credential that is good is known by it (`request.knownCaller`), and gets nothing else by it. */
  readonly notesCallers?: boolean;
  /** Without a credential the protocol may still say who asks, and refuses where it does not. */
  readonly credentialOptional?: boolean;
  /** Further permissions the caller needs as well. */
  readonly alsoNeeds?: readonly string[];
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  readonly bodyKinds?: readonly BodyKind[];
  readonly bodyOptional?: boolean;
  /** Text and forms are refused where they are not among the kinds, instead of being read as what is. */
  readonly strictMediaTypes?: boolean;
  readonly bodyBytesMax?: number;
  /** Of all objects and lists of the JSON body together, where it may hold more than most do. */
  readonly bodyPartsMax?: number;
  /** Of a body that is no text nothing is kept for the request log, not even in memory. */
  readonly privateBody?: boolean;
  readonly urlBytesMax?: number;
  readonly timeoutSeconds?: number;
  /** What no database keeps (NUL, half of a surrogate pair) means something in the query or the JSON body: the handler sees to it. */
  readonly acceptsNul?: boolean;
  readonly answers: Readonly<Record<number, TSchema>>;
  readonly errors?: readonly ErrorKind[];
  /** What input that does not fit is reported as, where that is an error of the service's own. */
  readonly inputError?: ErrorMaker;
  readonly transaction?: TransactionStyle;
  /** Where the protocol knows several shapes of errors: the name of the one that this operation's errors have. */
  readonly errorShape?: string;
  /** Pages of every origin may read the answers. */
  readonly crossOrigin?: boolean;
  /** Nobody on the way may keep the answers. */
  readonly noStore?: boolean;
  /** Not part of the promised interface: left out of the contract comparison. */
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

/** Bound to a service's tables and state, so that handlers get a typed `context.db` and `context.state` without a cast. */
export function operationsFor<Db, State = undefined>() {
  return <
    A extends Readonly<Record<number, TSchema>>,
    P extends TSchema | undefined = undefined,
    Q extends TSchema | undefined = undefined,
    H extends TSchema | undefined = undefined,
    B extends TSchema | undefined = undefined,
  >(
    spec: OperationSpec<Db, State, P, Q, H, B, A>,
  ): Operation => spec as unknown as Operation;
}

/** What the operations of a group have in common, said once; what one of them says itself counts. */
export const operationGroup = (
  shared: Partial<Operation>,
  operations: readonly Operation[],
): readonly Operation[] => operations.map((operation) => ({ ...shared, ...operation }));
