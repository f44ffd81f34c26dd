/** Declarations of input beyond JSON types, and how input is read. */
export { changesOf, shownOf } from "./derived.ts";
export {
  byKind,
  demanded,
  described,
  given,
  membersInAnyCase,
  numberedWords,
  oneOrMore,
  otherwise,
  type Rule,
  reportedAs,
  ruled,
  says,
  texts,
  words,
} from "./facts.ts";
export type { Problem } from "./problems.ts";
export { type Reading, refusalOf, Shape } from "./shape.ts";
