/** The tree of a `$filter` expression, plain data that an evaluator runs and a store may translate. */

export const COMPARISON_OPERATORS = ["eq", "ne", "gt", "ge", "lt", "le"] as const;
export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number];

export const FILTER_FUNCTIONS = ["contains", "startswith", "endswith", "substringof"] as const;
export type FilterFunction = (typeof FILTER_FUNCTIONS)[number];

/** Every node knows the index of its first character, so that errors can point at it. */
type Positioned = {
  readonly position: number;
};

/** A date-time is kept as milliseconds since 1970 UTC; a guid in lower case. */
export type LiteralNode = Positioned & { readonly kind: "literal" } & (
    | { readonly type: "string"; readonly value: string }
    | { readonly type: "guid"; readonly value: string }
    | { readonly type: "number"; readonly value: number }
    | { readonly type: "dateTime"; readonly value: number }
    | { readonly type: "boolean"; readonly value: boolean }
    | { readonly type: "null"; readonly value: null }
  );

export interface PropertyNode extends Positioned {
  readonly kind: "property";
  readonly path: readonly string[];
}

/** `substringof('x',field)` and `contains(field,'x')` have the same parts; only the spelling differs. */
export interface FunctionNode extends Positioned {
  readonly kind: "function";
  readonly name: FilterFunction;
  readonly property: PropertyNode;
  readonly text: string;
}

export interface ComparisonNode extends Positioned {
  readonly kind: "comparison";
  readonly operator: ComparisonOperator;
  readonly left: FilterNode;
  readonly right: FilterNode;
}

export interface NotNode extends Positioned {
  readonly kind: "not";
  readonly operand: FilterNode;
}

/** A chain of one connective is one node, so that long chains are not deep trees. */
export interface ConnectiveNode extends Positioned {
  readonly kind: "and" | "or";
  readonly operands: readonly FilterNode[];
}

export type FilterNode =
  | LiteralNode
  | PropertyNode
  | FunctionNode
  | ComparisonNode
  | NotNode
  | ConnectiveNode;
