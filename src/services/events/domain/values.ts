/** Values of expressions. Integers and decimals are distinct, because integer division rounds. */
import { EvaluationError } from "./faults.ts";
import { TEXT_LENGTH_MAX } from "./limits.ts";

/**
 * A decimal without a fraction, such as 20.0. All other numbers are integers, or decimals with a fraction.
 */
export class WholeDecimal {
  readonly decimal: number;
  constructor(decimal: number) {
    this.decimal = decimal;
  }
}
/** A WholeDecimal after a round trip through the store. */
type KeptDecimal = { readonly decimal: number };
/** Marks an object or a list in a message. It exists, but no expression can use it. */
type Composite = Readonly<Record<string, never>>;

export type Scalar = number | string | boolean | KeptDecimal;
/** Stored attribute value, as plain JSON. */
export type KeptValue = Scalar | null | Composite;
/** `undefined` is a missing value. */
export type Value = KeptValue | undefined;

export type TypeName = "Integer" | "Decimal" | "String" | "Boolean";

export const isKeptDecimal = (value: unknown): value is KeptDecimal =>
  typeof value === "object" && value !== null && typeof (value as Partial<KeptDecimal>).decimal === "number";

export const decimal = (value: number): number | KeptDecimal =>
  Number.isInteger(value) ? new WholeDecimal(value) : value;

export function typeOf(value: Value): TypeName | "Null" | "Undefined" | "Object" {
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) ? "Integer" : "Decimal";
    case "string":
      return "String";
    case "boolean":
      return "Boolean";
    case "undefined":
      return "Undefined";
    default:
      if (value === null) return "Null";
      return isKeptDecimal(value) ? "Decimal" : "Object";
  }
}

export const isScalar = (value: Value): value is Scalar =>
  value !== undefined && value !== null && (typeof value !== "object" || isKeptDecimal(value));

/** As in templates and payloads. */
export function textOf(value: Scalar): string {
  if (typeof value === "object") return `${value.decimal}.0`;
  return typeof value === "string" ? value : String(value);
}
/** As in JSON, but 20.0 stays 20.0. */
export const jsonOf = (value: Scalar): string =>
  typeof value === "string" ? JSON.stringify(value) : textOf(value);

export function boundedText(text: string): string {
  if (text.length > TEXT_LENGTH_MAX)
    throw new EvaluationError(`A text of more than ${TEXT_LENGTH_MAX} characters came out.`);
  return text;
}
