/** Public names of the `$filter` language: parse to a tree, compile to a predicate, typed errors. */
export type {
  ComparisonNode,
  ComparisonOperator,
  ConnectiveNode,
  FilterFunction,
  FilterNode,
  FunctionNode,
  LiteralNode,
  NotNode,
  PropertyNode,
} from "./ast.ts";
export { COMPARISON_OPERATORS, FILTER_FUNCTIONS } from "./ast.ts";
export {
  compileFilter,
  type FilterField,
  type FilterFields,
  type FilterFieldType,
  type FilterPredicate,
  type FilterRecord,
} from "./compile.ts";
export { type FilterEquality, findEqualities } from "./equalities.ts";
export { FilterError, FilterFieldError, type FilterFieldReason, FilterSyntaxError } from "./errors.ts";
export { filterLimits, parseFilter } from "./parser.ts";
