/** Operators. A missing operand makes the result undefined. Incompatible types are an error. */
import { EvaluationError } from "../faults.ts";
import { boundedText, decimal, isKeptDecimal, typeOf, type Value } from "../values.ts";
import type { BinaryOperator, UnaryOperator } from "./syntax.ts";

type Numeric = { readonly value: number; readonly isInteger: boolean };

const isMissing = (value: Value): value is undefined | null => value === undefined || value === null;

const incompatible = (operator: string, ...values: Value[]): EvaluationError =>
  new EvaluationError(
    `The operator "${operator}" can't be used with ${values.map((value) => typeOf(value)).join(" and ")}.`,
  );

function numericOf(value: Value): Numeric | undefined {
  if (typeof value === "number") return { value, isInteger: Number.isInteger(value) };
  return isKeptDecimal(value) ? { value: value.decimal, isInteger: false } : undefined;
}
/** The number of an integer or a decimal. */
export const numberOf = (value: Value): number | undefined => numericOf(value)?.value;

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new EvaluationError("The result is too large a number.");
  return value;
}
/** Rounds halves away from zero. */
const roundedQuotient = (quotient: number): number => {
  const rounded = Math.sign(quotient) * Math.round(Math.abs(quotient));
  return rounded === 0 ? 0 : rounded;
};
function divide(left: Numeric, right: Numeric): Value {
  if (right.value === 0) throw new EvaluationError("A number was divided by zero.");
  const quotient = finite(left.value / right.value);
  return left.isInteger && right.isInteger ? roundedQuotient(quotient) : decimal(quotient);
}
const CALCULATIONS = {
  "+": (left: number, right: number) => left + right,
  "-": (left: number, right: number) => left - right,
  "*": (left: number, right: number) => left * right,
} as const;

function calculate(operator: "+" | "-" | "*" | "/", left: Value, right: Value): Value {
  if (isMissing(left) || isMissing(right)) return undefined;
  if (operator === "+" && typeof left === "string" && typeof right === "string")
    return boundedText(left + right);
  const first = numericOf(left);
  const second = numericOf(right);
  if (first === undefined || second === undefined) throw incompatible(operator, left, right);
  if (operator === "/") return divide(first, second);
  const result = finite(CALCULATIONS[operator](first.value, second.value));
  if (!first.isInteger || !second.isInteger) return decimal(result);
  if (!Number.isSafeInteger(result)) throw new EvaluationError("The result is too large an integer.");
  // Converts -0 to 0.
  return result + 0;
}

const isInt32 = (value: number) => (value | 0) === value;
/** 64-bit integers, as in the public service. */
function bits(operator: "|" | "&" | "^", left: number, right: number): number {
  const [first, second] = [BigInt(left), BigInt(right)];
  if (operator === "|") return Number(BigInt.asIntN(64, first | second));
  return Number(BigInt.asIntN(64, operator === "&" ? first & second : first ^ second));
}
/** Undefined if an operand is not an integer. */
export function combineBits(operator: "|" | "&" | "^", left: Value, right: Value): number | undefined {
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  if (!Number.isSafeInteger(left) || !Number.isSafeInteger(right)) return undefined;
  if (!isInt32(left) || !isInt32(right)) return bits(operator, left, right);
  if (operator === "|") return left | right;
  return operator === "&" ? left & right : left ^ right;
}
/** Undefined if the operand is not an integer. */
export const invertBits = (value: Value): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) ? -value - 1 : undefined;

function combine(operator: "|" | "&" | "^", left: Value, right: Value): Value {
  if (isMissing(left) || isMissing(right)) return undefined;
  const result = combineBits(operator, left, right);
  if (result === undefined) throw incompatible(operator, left, right);
  return result;
}

/** Both must be numbers, or have the same type. Texts are compared by character codes. */
function comparable(
  operator: string,
  left: Value,
  right: Value,
): [number, number] | [string, string] | [boolean, boolean] {
  const first = numberOf(left);
  const second = numberOf(right);
  if (first !== undefined && second !== undefined) return [first, second];
  if (typeof left === "string" && typeof right === "string") return [left, right];
  if (typeof left === "boolean" && typeof right === "boolean") return [left, right];
  throw incompatible(operator, left, right);
}
export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";
export function compare(operator: Comparison, left: Value, right: Value): boolean | undefined {
  if (isMissing(left) || isMissing(right)) return undefined;
  const [first, second] = comparable(operator, left, right);
  if (operator === "==") return first === second;
  if (operator === "!=") return first !== second;
  if (typeof first === "boolean") throw incompatible(operator, left, right);
  switch (operator) {
    case "<":
      return first < second;
    case "<=":
      return first <= second;
    case ">":
      return first > second;
    default:
      return first >= second;
  }
}

/** An operand of `&&` or `||`: a boolean or a missing value. */
export function truthOf(operator: string, value: Value): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (isMissing(value)) return undefined;
  throw incompatible(operator, value);
}

/** All operators except `&&` and `||`, which short-circuit. */
export type StrictOperator = Exclude<BinaryOperator, "&&" | "||">;
export function applyBinary(operator: StrictOperator, left: Value, right: Value): Value {
  switch (operator) {
    case "+":
    case "-":
    case "*":
    case "/":
      return calculate(operator, left, right);
    case "|":
    case "&":
    case "^":
      return combine(operator, left, right);
    default:
      return compare(operator, left, right);
  }
}

export function applyUnary(operator: UnaryOperator, value: Value): Value {
  if (isMissing(value)) return undefined;
  if (operator === "!" && typeof value === "boolean") return !value;
  if (operator === "-") {
    const number = numericOf(value);
    if (number?.isInteger) return number.value === 0 ? 0 : -number.value;
    if (number !== undefined) return decimal(-number.value);
  }
  const inverted = operator === "~" ? invertBits(value) : undefined;
  if (inverted === undefined) throw incompatible(operator, value);
  return inverted;
}
