/** Expressions that users write: run by an engine whose time grows with the text alone, whatever the expression. */
import { packageOnUse } from "#kernel/packages";

const engine = packageOnUse<typeof import("re2js")>("re2js");

/** Longer expressions are refused, as in the public limit. */
const EXPRESSION_LENGTH_MAX = 500;
const FINDINGS_MAX = 100;

export type CompiledRegex = {
  /** How much work it is for each character. */
  readonly size: number;
  find(text: string): readonly { readonly start: number; readonly end: number }[];
};

/** `\\u00e9` is how the maker's engine writes a character by its number. */
const inOurWords = (expression: string): string =>
  expression.replaceAll(/(?<!\\)((?:\\\\)*)\\u([0-9a-f]{4})/gi, "$1\\x{$2}");

const BACKTRACKING = /\(\?<?[=!]|\\[1-9k]/;
/** In files of the maker: empty, or with look-around or back-references, which this engine has not. */
export const isKeptOnly = (expression: string): boolean =>
  expression === "" || (BACKTRACKING.test(expression) && checkRegex(expression) !== undefined);

/** Why it cannot be used; undefined if it can. */
export function checkRegex(expression: string): string | undefined {
  if (expression.length === 0) return "The expression is empty.";
  if (expression.length > EXPRESSION_LENGTH_MAX)
    return `The expression is longer than ${EXPRESSION_LENGTH_MAX} characters.`;
  const { RE2JS, RE2JSException } = engine();
  try {
    RE2JS.compile(inOurWords(expression), RE2JS.CASE_INSENSITIVE);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSException) return `The expression cannot be used: ${error.message}.`;
    throw error;
  }
}

export function compileRegex(expression: string): CompiledRegex {
  const { RE2JS } = engine();
  const compiled = RE2JS.compile(inOurWords(expression), RE2JS.CASE_INSENSITIVE);
  return {
    size: compiled.programSize(),
    find(text) {
      const found: { start: number; end: number }[] = [];
      const matcher = compiled.matcher(text);
      while (found.length < FINDINGS_MAX && matcher.find())
        if (matcher.end() > matcher.start()) found.push({ start: matcher.start(), end: matcher.end() });
      return found;
    },
  };
}
