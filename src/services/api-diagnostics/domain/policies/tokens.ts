/** Tokenizer of expressions. */

export type Token = {
  readonly kind: "name" | "text" | "number" | "sign" | "end";
  readonly value: string;
  readonly at: number;
};
const SIGNS = [
  "==",
  "!=",
  "<=",
  ">=",
  "&&",
  "||",
  "??",
  "(",
  ")",
  "[",
  "]",
  ".",
  ",",
  "?",
  ":",
  "!",
  "<",
  ">",
  "+",
  "-",
];
const EXPRESSION_LENGTH_MAX = 8192;
/** Each operator is a call within a call when the expression runs: thousands in a row overflow the stack. */
const PARTS_MAX = 1000;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /\d+(?:\.\d+)?/y;
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  '"': '"',
  "'": "'",
  "\\": "\\",
};

export class ExpressionError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Offset behind the string literal. Undefined if it is not terminated. */
function endOfText(text: string, start: number): number | undefined {
  const last = Math.min(text.length, start + EXPRESSION_LENGTH_MAX);
  for (let at = start + 1; at < last; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}
const BRACKETS: Readonly<Record<string, string>> = { "@(": "()", "@{": "{}" };
/**
 * Offset behind the expression `@(…)` or `@{…}` at `start`. Undefined if there is none, or if it is too
 * long.
 */
export function endOfExpression(text: string, start: number): number | undefined {
  const [opening, closing] = BRACKETS[text.slice(start, start + 2)] ?? "";
  if (opening === undefined) return undefined;
  const last = Math.min(text.length, start + EXPRESSION_LENGTH_MAX);
  let depth = 0;
  for (let at = start + 1; at < last; at += 1) {
    const sign = text[at];
    if (sign === '"') at = (endOfText(text, at) ?? last) - 1;
    if (sign === opening) depth += 1;
    if (sign === closing) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

function textToken(source: string, at: number): Token & { end: number } {
  const end = endOfText(source, at);
  if (end === undefined) throw new ExpressionError("A text does not end.", at);
  const value = source.slice(at + 1, end - 1).replace(/\\(.)/gs, (_whole, sign: string) => {
    const meant = ESCAPES[sign];
    if (meant === undefined) throw new ExpressionError(`'\\${sign}' is not understood in a text.`, at);
    return meant;
  });
  return { kind: "text", value, at, end };
}
function tokenAt(source: string, at: number): Token & { end: number } {
  if (source[at] === '"') return textToken(source, at);
  for (const [kind, pattern] of [
    ["name", NAME],
    ["number", NUMBER],
  ] as const) {
    pattern.lastIndex = at;
    const value = pattern.exec(source)?.[0];
    if (value !== undefined) return { kind, value, at, end: at + value.length };
  }
  const sign = SIGNS.find((one) => source.startsWith(one, at));
  if (sign === undefined) throw new ExpressionError(`'${source[at]}' is not understood.`, at);
  return { kind: "sign", value: sign, at, end: at + sign.length };
}
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(source[at] ?? "")) at += 1;
    if (at >= source.length) break;
    if (tokens.length === PARTS_MAX)
      throw new ExpressionError(`An expression has ${PARTS_MAX} names, values and signs at the most.`, at);
    const { end, ...token } = tokenAt(source, at);
    tokens.push(token);
    at = end;
  }
  tokens.push({ kind: "end", value: "the end", at: source.length });
  return tokens;
}
