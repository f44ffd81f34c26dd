/** Checks a parsed filter against the fields on offer and turns it into a predicate over records. */
import type {
  ComparisonNode,
  ComparisonOperator,
  FilterNode,
  FunctionNode,
  LiteralNode,
  PropertyNode,
} from "./ast.ts";
import { FilterFieldError } from "./errors.ts";
import { findDateTime } from "./literals.ts";

export type FilterFieldType = "string" | "number" | "boolean" | "dateTime";

/**
 * What a filter may ask of a field. Keys of the table are paths such as `properties/loggerId`. Without `operators`
 * and `functions`, everything that fits the type is allowed.
 */
export type FilterField = {
  readonly type: FilterFieldType;
  readonly operators?: readonly string[];
  readonly functions?: readonly string[];
  /** The path of the value in the record, if it differs from that of the field. */
  readonly path?: readonly string[];
  /** Compares texts without case, like names of resources. */
  readonly ignoreCase?: boolean;
};

export type FilterFields = Readonly<Record<string, FilterField>>;
export type FilterRecord = Readonly<Record<string, unknown>>;
export type FilterPredicate = (record: FilterRecord) => boolean;

type Scalar = string | number | boolean | null;
type OperandType = FilterFieldType | "guid" | "null";

/** An operand yields null for a value that is missing or not of the field's type. */
type Operand = {
  readonly type: OperandType;
  readonly read: (record: FilterRecord) => Scalar;
  readonly field?: { readonly name: string; readonly rule: FilterField };
  readonly literal?: LiteralNode;
  readonly position: number;
};

type Known = {
  readonly name: string;
  readonly rule: FilterField;
};

type FieldIndex = {
  readonly exact: ReadonlyMap<string, Known>;
  readonly folded: ReadonlyMap<string, Known>;
};

const ORDERED_TYPES: ReadonlySet<OperandType> = new Set(["string", "number", "dateTime"]);

function indexFields(fields: FilterFields): FieldIndex {
  const exact = new Map<string, Known>();
  const folded = new Map<string, Known>();
  for (const [key, rule] of Object.entries(fields)) {
    const name = key.replaceAll(".", "/");
    exact.set(name, { name, rule });
    folded.set(name.toLowerCase(), { name, rule });
  }
  return { exact, folded };
}

/** An exact name wins. Otherwise case is ignored, as the old services did. */
function getField(index: FieldIndex, node: PropertyNode): Known {
  const name = node.path.join("/");
  const known = index.exact.get(name) ?? index.folded.get(name.toLowerCase());
  if (known !== undefined) return known;
  const offered = [...index.exact.keys()].join(", ");
  throw new FilterFieldError(
    "unknownField",
    `Unknown field '${name}' at position ${node.position}; fields that can be filtered are: ${offered}.`,
    node.position,
  );
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record;
  for (const segment of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

function scalarOf(value: unknown, type: FilterFieldType): Scalar {
  if (type === "dateTime") return dateTimeOf(value);
  if (typeof value !== type || Number.isNaN(value)) return null;
  return value as Scalar;
}

function dateTimeOf(value: unknown): number | null {
  if (typeof value === "string") return findDateTime(value) ?? null;
  const milliseconds = value instanceof Date ? value.getTime() : value;
  return typeof milliseconds === "number" && Number.isFinite(milliseconds) ? milliseconds : null;
}

function propertyOperand(node: PropertyNode, index: FieldIndex): Operand {
  const field = getField(index, node);
  const path = field.rule.path ?? field.name.split("/");
  const read = (record: FilterRecord) => scalarOf(valueAt(record, path), field.rule.type);
  return { type: field.rule.type, read, field, position: node.position };
}

function operandOf(node: FilterNode, index: FieldIndex): Operand {
  const { position } = node;
  if (node.kind === "property") return propertyOperand(node, index);
  if (node.kind === "literal") return { type: node.type, read: () => node.value, literal: node, position };
  return { type: "boolean", read: predicateOf(node, index), position };
}

function typeMismatch(message: string, position: number): FilterFieldError {
  return new FilterFieldError("typeMismatch", message, position);
}

function nameOf(operand: Operand): string {
  if (operand.field !== undefined) return `field '${operand.field.name}' (${operand.type})`;
  return operand.type === "null" ? "null" : `a ${operand.type}`;
}

/** A quoted date-time is accepted where a date-time is expected, because callers of the old services quote it. */
function unquotedDateTime(operand: Operand, other: Operand): Operand {
  const { literal } = operand;
  if (literal?.type !== "string" || other.type !== "dateTime") return operand;
  const value = findDateTime(literal.value);
  if (value === undefined) {
    throw typeMismatch(
      `'${literal.value}' at position ${literal.position} is not a date-time to compare with ${nameOf(other)}.`,
      literal.position,
    );
  }
  return { ...operand, type: "dateTime", read: () => value };
}

function isText(operand: Operand): boolean {
  return operand.type === "string" || operand.type === "guid";
}

/** Guids ignore case, and so do fields that declare it. */
function ignoresCase(operand: Operand): boolean {
  return operand.type === "guid" || operand.field?.rule.ignoreCase === true;
}

function withoutCase(operand: Operand): Operand {
  const read = (record: FilterRecord) => {
    const value = operand.read(record);
    return typeof value === "string" ? value.toLowerCase() : value;
  };
  return { ...operand, type: "string", read };
}

function checkOperator(operator: ComparisonOperator, operand: Operand): void {
  const allowed = operand.field?.rule.operators;
  if (operand.field === undefined || allowed === undefined || allowed.includes(operator)) return;
  throw new FilterFieldError(
    "operatorNotAllowed",
    `The operator '${operator}' cannot be used on field '${operand.field.name}' (position ${operand.position}); allowed: ${allowed.join(", ") || "none"}.`,
    operand.position,
  );
}

function checkTypes(operator: ComparisonOperator, left: Operand, right: Operand): void {
  const ordering = operator !== "eq" && operator !== "ne";
  if (left.type === "null" || right.type === "null") {
    if (!ordering) return;
    throw typeMismatch(`null can be compared with eq and ne only, not with '${operator}'.`, left.position);
  }
  if (left.type !== right.type) {
    throw typeMismatch(
      `${capitalised(nameOf(left))} cannot be compared with ${nameOf(right)} (position ${right.position}).`,
      right.position,
    );
  }
  if (ordering && !ORDERED_TYPES.has(left.type)) {
    throw typeMismatch(
      `${capitalised(nameOf(left))} has no order; '${operator}' cannot be used on it (position ${left.position}).`,
      left.position,
    );
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A missing value equals null and nothing else, and is neither before nor after anything. */
function compare(operator: ComparisonOperator, left: Scalar, right: Scalar): boolean {
  if (operator === "eq") return left === right;
  if (operator === "ne") return left !== right;
  if (left === null || right === null) return false;
  switch (operator) {
    case "gt":
      return left > right;
    case "ge":
      return left >= right;
    case "lt":
      return left < right;
    default:
      return left <= right;
  }
}

function comparisonOf(node: ComparisonNode, index: FieldIndex): FilterPredicate {
  const { operator } = node;
  const first = operandOf(node.left, index);
  const second = operandOf(node.right, index);
  checkOperator(operator, first);
  checkOperator(operator, second);
  const caseless = isText(first) && isText(second) && (ignoresCase(first) || ignoresCase(second));
  const left = caseless ? withoutCase(first) : unquotedDateTime(first, second);
  const right = caseless ? withoutCase(second) : unquotedDateTime(second, first);
  checkTypes(operator, left, right);
  return (record) => compare(operator, left.read(record), right.read(record));
}

function functionOf(node: FunctionNode, index: FieldIndex): FilterPredicate {
  const operand = propertyOperand(node.property, index);
  const { rule, name } = getField(index, node.property);
  if (rule.functions !== undefined && !rule.functions.includes(node.name)) {
    throw new FilterFieldError(
      "functionNotAllowed",
      `The function '${node.name}' cannot be used on field '${name}' (position ${node.position}); allowed: ${rule.functions.join(", ") || "none"}.`,
      node.position,
    );
  }
  if (rule.type !== "string") {
    throw typeMismatch(
      `The function '${node.name}' needs a string, but field '${name}' is a ${rule.type} (position ${node.position}).`,
      node.position,
    );
  }
  const test = textTests[node.name];
  const text = ignoresCase(operand) ? node.text.toLowerCase() : node.text;
  const { read } = ignoresCase(operand) ? withoutCase(operand) : operand;
  return (record) => {
    const value = read(record);
    return typeof value === "string" && test(value, text);
  };
}

const textTests = {
  contains: (value: string, text: string) => value.includes(text),
  substringof: (value: string, text: string) => value.includes(text),
  startswith: (value: string, text: string) => value.startsWith(text),
  endswith: (value: string, text: string) => value.endsWith(text),
};

/** A bare field or literal counts as a condition only when it is a boolean. */
function bareCondition(node: PropertyNode | LiteralNode, index: FieldIndex): FilterPredicate {
  const operand = operandOf(node, index);
  if (operand.type !== "boolean") {
    throw typeMismatch(
      `${capitalised(nameOf(operand))} at position ${node.position} is no condition by itself; compare it, and put a negated comparison in parentheses: not (field eq 'value').`,
      node.position,
    );
  }
  checkOperator("eq", operand);
  return (record) => operand.read(record) === true;
}

function predicateOf(node: FilterNode, index: FieldIndex): FilterPredicate {
  switch (node.kind) {
    case "comparison":
      return comparisonOf(node, index);
    case "function":
      return functionOf(node, index);
    case "not": {
      const operand = predicateOf(node.operand, index);
      return (record) => !operand(record);
    }
    case "and": {
      const operands = node.operands.map((operand) => predicateOf(operand, index));
      return (record) => operands.every((operand) => operand(record));
    }
    case "or": {
      const operands = node.operands.map((operand) => predicateOf(operand, index));
      return (record) => operands.some((operand) => operand(record));
    }
    default:
      return bareCondition(node, index);
  }
}

/** Throws FilterFieldError. All checks happen here, so the predicate itself never throws. */
export function compileFilter(node: FilterNode, fields: FilterFields): FilterPredicate {
  return predicateOf(node, indexFields(fields));
}
