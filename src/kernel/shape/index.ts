/** The words in which input is declared beyond JSON types, and how it is read. */
export { byKind, given, oneOrMore, type Rule, ruled, says, texts, words } from "./facts.ts";
export type { Problem } from "./problems.ts";
export { type Reading, refusalOf, Shape } from "./shape.ts";
