/** Syntax tree of expressions. `at` is the column, from 1. */

export type UnaryOperator = "!" | "~" | "-";
export type BinaryOperator =
  | "||"
  | "&&"
  | "|"
  | "^"
  | "&"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "+"
  | "-"
  | "*"
  | "/";
export type FunctionName =
  | "timeout"
  | "convert"
  | "isNull"
  | "isUndefined"
  | "triggerType"
  | "currentInput"
  | "startsWith"
  | "endsWith"
  | "contains"
  | "bitor"
  | "bitand"
  | "bitxor"
  | "bitnot";
/** Member names and list indexes. */
export type Path = readonly (string | number)[];

export type Expression =
  | {
      readonly kind: "literal";
      readonly value: number | string | boolean | { readonly decimal: number };
      readonly at: number;
    }
  | { readonly kind: "template"; readonly parts: readonly (string | Expression)[]; readonly at: number }
  | { readonly kind: "input"; readonly name: string; readonly path: Path; readonly at: number }
  | { readonly kind: "variable"; readonly name: string; readonly at: number }
  | {
      readonly kind: "unary";
      readonly operator: UnaryOperator;
      readonly operand: Expression;
      readonly at: number;
    }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    }
  | {
      readonly kind: "call";
      readonly name: FunctionName;
      readonly arguments: readonly Expression[];
      readonly at: number;
    };

/** From lowest to highest precedence. Operators of one row are left-associative. */
export const PRECEDENCE: readonly (readonly BinaryOperator[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<=", ">=", "<", ">"],
  ["+", "-"],
  ["*", "/"],
];

/** Number of arguments of each function. */
export const FUNCTIONS: Readonly<Record<FunctionName, number>> = {
  timeout: 1,
  convert: 2,
  isNull: 1,
  isUndefined: 1,
  triggerType: 1,
  currentInput: 1,
  startsWith: 2,
  endsWith: 2,
  contains: 2,
  bitor: 2,
  bitand: 2,
  bitxor: 2,
  bitnot: 1,
};
/** Words that `convert` accepts without quotes. */
export const CONVERSIONS: readonly string[] = ["String", "Boolean", "Decimal"];

/** The expression and all its subexpressions, in pre-order. */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  switch (expression.kind) {
    case "template":
      for (const part of expression.parts) if (typeof part !== "string") yield* partsOf(part);
      return;
    case "unary":
      yield* partsOf(expression.operand);
      return;
    case "binary":
      yield* partsOf(expression.left);
      yield* partsOf(expression.right);
      return;
    case "call":
      for (const argument of expression.arguments) yield* partsOf(argument);
      return;
    default:
  }
}
