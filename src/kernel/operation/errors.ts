/** Errors are declared once: a closed table of names and statuses per service, and those of the kernel. */

/** Errors before or around a handler. Each protocol has its own names for them. */
export type KernelErrorName =
  | "malformedBody"
  | "invalidInput"
  | "unauthenticated"
  | "forbidden"
  | "routeNotFound"
  | "methodNotAllowed"
  | "bodyTooLarge"
  | "urlTooLong"
  | "headersTooLarge"
  | "unsupportedMediaType"
  | "timedOut"
  | "conflict"
  | "throttled"
  | "unavailable"
  | "internal";

export type ErrorKind = { readonly code: string; readonly status: number; readonly kernel?: KernelErrorName };

/** What an error may carry besides its message. The protocol decides where it goes in the body. */
export type ErrorExtras = {
  readonly target?: string;
  readonly details?: readonly {
    readonly code?: string;
    readonly message: string;
    readonly target?: string;
  }[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the error body, in the service's own spelling. */
  readonly fields?: Readonly<Record<string, unknown>>;
};

export class ServiceError extends Error {
  readonly kind: ErrorKind;
  readonly extras: ErrorExtras;
  constructor(kind: ErrorKind, message: string, extras: ErrorExtras = {}) {
    super(message);
    this.kind = kind;
    this.extras = extras;
  }
}

type ErrorTable = Record<string, readonly [code: string, status: number]>;
export type ErrorMaker = ErrorKind & ((message: string, extras?: ErrorExtras) => ServiceError);
export type Errors<T extends ErrorTable> = { readonly [K in keyof T]: ErrorMaker };

function makerOf(kind: ErrorKind): ErrorMaker {
  const make = (message: string, extras?: ErrorExtras) => new ServiceError(kind, message, extras);
  return Object.assign(make, kind);
}

/** `errors.groupNotFound("…")` makes the error; `errors.groupNotFound` in a declaration names its kind. */
export function defineErrors<const T extends ErrorTable>(table: T): Errors<T> {
  const entries = Object.entries(table).map(([name, [code, status]]) => [name, makerOf({ code, status })]);
  return Object.fromEntries(entries) as Errors<T>;
}

const KERNEL_STATUS: Record<KernelErrorName, number> = {
  malformedBody: 400,
  invalidInput: 400,
  unauthenticated: 401,
  forbidden: 403,
  routeNotFound: 404,
  methodNotAllowed: 405,
  bodyTooLarge: 413,
  urlTooLong: 414,
  headersTooLarge: 431,
  unsupportedMediaType: 415,
  timedOut: 503,
  conflict: 409,
  throttled: 429,
  unavailable: 503,
  internal: 500,
};

export const kernelErrors = Object.fromEntries(
  Object.entries(KERNEL_STATUS).map(([name, status]) => [
    name,
    makerOf({ code: name, status, kernel: name as KernelErrorName }),
  ]),
) as Record<KernelErrorName, ErrorMaker>;

/** The same kind, whatever object carries it. */
export const sameKind = (a: ErrorKind, b: ErrorKind): boolean =>
  a.code === b.code && a.status === b.status && a.kernel === b.kernel;

/** For services with one name for all bad input: that name for each kernel error about input. */
export const badInputNames = <Name extends readonly [code: string, status: number]>(name: Name) => ({
  malformedBody: name,
  invalidInput: name,
  bodyTooLarge: name,
  unsupportedMediaType: name,
});
