/** Errors in a caller's filter. Services turn these into their own 400. */

/** Base of both errors: `position` is the index of the offending character in the filter text. */
export class FilterError extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = "FilterError";
    this.position = position;
  }
}

/** The text is not a well-formed filter, or exceeds a limit. */
export class FilterSyntaxError extends FilterError {
  constructor(message: string, position: number) {
    super(message, position);
    this.name = "FilterSyntaxError";
  }
}

export type FilterFieldReason = "unknownField" | "operatorNotAllowed" | "functionNotAllowed" | "typeMismatch";

/** The text is well formed, but the records do not support the question. */
export class FilterFieldError extends FilterError {
  readonly reason: FilterFieldReason;

  constructor(reason: FilterFieldReason, message: string, position: number) {
    super(message, position);
    this.name = "FilterFieldError";
    this.reason = reason;
  }
}
