/** Errors in definitions and in evaluations, with their place. */

/** An invalid definition. `limit` is true if it only exceeds a limit. */
export class ModelFault extends Error {
  readonly place: string;
  readonly limit: boolean;
  constructor(place: string, message: string, { limit = false } = {}) {
    super(message);
    this.name = "ModelFault";
    this.place = place;
    this.limit = limit;
  }
}

/** A syntax error in an expression. `column` starts at 1. */
export class ExpressionFault extends Error {
  readonly column: number;
  constructor(message: string, column: number) {
    super(message);
    this.name = "ExpressionFault";
    this.column = column;
  }
}

/** A valid expression that has no value for this message. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";
}
