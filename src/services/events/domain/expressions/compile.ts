/** Compiles expressions to functions, once per model, so that messages need no parsing. */
import { EvaluationError } from "../faults.ts";
import { boundedText, isScalar, type KeptValue, type Scalar, textOf, typeOf, type Value } from "../values.ts";
import { functions, type Moment } from "./functions.ts";
import { applyBinary, applyUnary, type StrictOperator, truthOf } from "./operators.ts";
import { pathText } from "./scanner.ts";
import type { Expression } from "./syntax.ts";

export type Variables = Record<string, Scalar>;
/** Last values of referenced attributes, by input and path. */
export type InputValues = Record<string, Record<string, KeptValue>>;

/** Everything that an expression can read. */
export type Frame = Moment & { readonly variables: Variables; readonly inputs: InputValues };
export type Compiled = (frame: Frame) => Value;

type Of<Kind extends Expression["kind"]> = Extract<Expression, { kind: Kind }>;

function compileInput({ name, path }: Of<"input">): Compiled {
  const key = pathText(path);
  return ({ inputs }) => {
    const values = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    return values !== undefined && Object.hasOwn(values, key) ? values[key] : undefined;
  };
}

function compileTemplate({ parts }: Of<"template">): Compiled {
  const compiled = parts.map((part) => (typeof part === "string" ? part : compileExpression(part)));
  return (frame) => {
    let text = "";
    for (const part of compiled) {
      const value = typeof part === "string" ? part : part(frame);
      if (value === undefined || value === null) return undefined;
      if (!isScalar(value)) throw new EvaluationError("An object can't be written into a text.");
      text += textOf(value);
    }
    return boundedText(text);
  };
}

/** Evaluates the right side only if the left side is true. */
function compileAnd(left: Compiled, right: Compiled): Compiled {
  return (frame) => {
    const first = truthOf("&&", left(frame));
    return first === true ? truthOf("&&", right(frame)) : first;
  };
}
/** A missing value counts as false. */
function compileOr(left: Compiled, right: Compiled): Compiled {
  return (frame) => truthOf("||", left(frame)) === true || truthOf("||", right(frame)) === true;
}

type NumberComparison = (left: number, right: number) => boolean;
const COMPARISONS: Readonly<Partial<Record<StrictOperator, NumberComparison>>> = {
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
};
/**
 * Whether both sides are the same reference. Models use `$variable.a != $variable.a` to test if it is set.
 */
const areSame = (left: Expression, right: Expression): boolean =>
  (left.kind === "variable" && right.kind === "variable" && left.name === right.name) ||
  (left.kind === "input" &&
    right.kind === "input" &&
    left.name === right.name &&
    pathText(left.path) === pathText(right.path));

function compileBinary({ operator, left, right }: Of<"binary">): Compiled {
  const first = compileExpression(left);
  if (operator === "!=" && areSame(left, right)) return (frame) => (first(frame) ?? undefined) === undefined;
  const second = compileExpression(right);
  if (operator === "&&") return compileAnd(first, second);
  if (operator === "||") return compileOr(first, second);
  const quick = COMPARISONS[operator];
  if (quick === undefined) return (frame) => applyBinary(operator, first(frame), second(frame));
  // Fast path: most conditions compare two numbers.
  return (frame) => {
    const a = first(frame);
    const b = second(frame);
    return typeof a === "number" && typeof b === "number" ? quick(a, b) : applyBinary(operator, a, b);
  };
}

function compileCall({ name, arguments: given }: Of<"call">): Compiled {
  const compiled = given.map(compileExpression);
  const implementation = functions[name];
  return (frame) =>
    implementation(
      compiled.map((argument) => argument(frame)),
      frame,
    );
}

export function compileExpression(expression: Expression): Compiled {
  switch (expression.kind) {
    case "literal": {
      const { value } = expression;
      return () => value;
    }
    case "template":
      return compileTemplate(expression);
    case "input":
      return compileInput(expression);
    case "variable": {
      const { name } = expression;
      return ({ variables }) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
    }
    case "unary": {
      const { operator } = expression;
      const operand = compileExpression(expression.operand);
      return (frame) => applyUnary(operator, operand(frame));
    }
    case "binary":
      return compileBinary(expression);
    case "call":
      return compileCall(expression);
  }
}

/** Throws if there is no scalar value, so that the action that needs it does not run. */
export function scalarOf(value: Value): Scalar {
  if (isScalar(value)) return value;
  throw new EvaluationError(
    typeOf(value) === "Object"
      ? "The expression refers to an object or list, not to a value."
      : `The expression has no value: what it refers to is ${value === null ? "null" : "undefined"}.`,
  );
}
