/** What is wrong with a definition, and what went wrong while a message was evaluated. Both say where. */

/** A definition that can't be used. `limit` when it is only too large. */
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

/** An expression that can't be read. `column` counts from 1. */
export class ExpressionFault extends Error {
  readonly column: number;
  constructor(message: string, column: number) {
    super(message);
    this.name = "ExpressionFault";
    this.column = column;
  }
}

/** An expression that was read, and had no value for this message. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";
}
