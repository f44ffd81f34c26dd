/** What an expression is made of once it was read. `at` is its column, from 1. */

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
/** Names of members, and positions in lists. */
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

/** From the loosest to the tightest; operators of one row are read from the left. */
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

/** How many arguments each function takes. */
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
/** Words that `convert` takes unquoted. */
export const CONVERSIONS: readonly string[] = ["String", "Boolean", "Decimal"];

/** What each expression is made of, itself included, from the outside in. */
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
