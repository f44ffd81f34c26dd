/**
 * The filter language of lists: `labels.team = "web" AND NOT state:FAILED`. Words beside each other mean AND; OR binds closer
 * than AND, as published.
 */
import { errors } from "../errors.ts";
import { membersOf } from "./spelling.ts";

type Members = Readonly<Record<string, unknown>>;
export type Filter = (value: Members) => boolean;

const LENGTH_MAX = 2048;
const DEPTH_MAX = 20;
const OPERATORS = ["!=", "<=", ">=", "=", "<", ">", ":"] as const;
/** Only in quotation marks are they words like any other. */
const RESERVED = new Set(["AND", "OR", "NOT"]);
type Operator = (typeof OPERATORS)[number];
type Token =
  | { readonly kind: "word"; readonly text: string; readonly quoted: boolean }
  | { readonly kind: "operator"; readonly text: Operator }
  | { readonly kind: "(" | ")" | "-" };

const refuse = (what: string) => errors.invalidArgument(`The filter cannot be read: ${what}.`);

/** Returns undefined for an empty filter. `fields`: the members of the listed items. */
export function readFilter(text: string | undefined, fields: readonly string[]): Filter | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  if (text.length > LENGTH_MAX) throw refuse(`it is longer than ${LENGTH_MAX} characters`);
  return new Parser(tokensOf(text), fields).read();
}

const isSpace = (character: string): boolean =>
  character === " " || character === "\t" || character === "\n" || character === "\r";
const ENDS = new Set(["(", ")", "=", "!", "<", ">", ":", '"', "'", " ", "\t", "\n", "\r"]);

type Read = { readonly token: Token | undefined; readonly end: number };

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const { token, end } = readToken(text, at, tokens.at(-1)?.kind === "operator");
    if (token) tokens.push(token);
    at = end;
  }
  return tokens;
}
/** `isValue`: after an operator, a dash is part of the value. */
function readToken(text: string, at: number, isValue: boolean): Read {
  const character = text[at] as string;
  if (isSpace(character)) return { token: undefined, end: at + 1 };
  if (character === "(" || character === ")") return { token: { kind: character }, end: at + 1 };
  const operator = OPERATORS.find((one) => text.startsWith(one, at));
  if (operator) return { token: { kind: "operator", text: operator }, end: at + operator.length };
  if (character === '"' || character === "'") {
    const { value, end } = quotedAt(text, at);
    return { token: { kind: "word", text: value, quoted: true }, end };
  }
  if (character === "-" && !isValue) return { token: { kind: "-" }, end: at + 1 };
  const end = endOfWord(text, at);
  if (end === at) throw refuse(`"${character}" stands at ${at + 1}`);
  return { token: { kind: "word", text: text.slice(at, end), quoted: false }, end };
}
function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && !ENDS.has(text[end] as string)) end += 1;
  return end;
}
function quotedAt(text: string, start: number): { value: string; end: number } {
  const quote = text[start];
  let value = "";
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === quote) return { value, end: at + 1 };
    if (text[at] === "\\") at += 1;
    value += text[at] ?? "";
  }
  throw refuse(`the quotation that begins at ${start + 1} has no end`);
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #fields: readonly string[];
  #at = 0;
  #depth = 0;
  constructor(tokens: readonly Token[], fields: readonly string[]) {
    this.#tokens = tokens;
    this.#fields = fields;
  }
  read(): Filter {
    const filter = this.#all();
    if (this.#at < this.#tokens.length) throw refuse("a parenthesis closes that was not opened");
    return filter;
  }
  #isWord(word: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === "word" && !token.quoted && token.text === word;
  }
  #all(): Filter {
    const parts = [this.#any()];
    for (;;) {
      const token = this.#tokens[this.#at];
      if (!token || token.kind === ")") break;
      if (this.#isWord("AND")) this.#at += 1;
      parts.push(this.#any());
    }
    return parts.length === 1 ? (parts[0] as Filter) : (value) => parts.every((part) => part(value));
  }
  #any(): Filter {
    const parts = [this.#one()];
    while (this.#isWord("OR")) {
      this.#at += 1;
      parts.push(this.#one());
    }
    return parts.length === 1 ? (parts[0] as Filter) : (value) => parts.some((part) => part(value));
  }
  #one(): Filter {
    const token = this.#tokens[this.#at];
    if (!token) throw refuse("something is missing at its end");
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw refuse(`it is nested deeper than ${DEPTH_MAX}`);
    try {
      if (this.#isWord("NOT") || token.kind === "-") {
        this.#at += 1;
        const inner = this.#one();
        return (value) => !inner(value);
      }
      if (token.kind === "(") {
        this.#at += 1;
        const inner = this.#all();
        if (this.#tokens[this.#at]?.kind !== ")") throw refuse("a parenthesis is not closed");
        this.#at += 1;
        return inner;
      }
      return this.#comparison();
    } finally {
      this.#depth -= 1;
    }
  }
  #comparison(): Filter {
    const field = this.#word("a field");
    const operator = this.#tokens[this.#at];
    if (operator?.kind !== "operator") {
      const wanted = field.toLowerCase();
      return (value) => textsOf(value).some((text) => text.toLowerCase().includes(wanted));
    }
    this.#at += 1;
    const wanted = this.#word("a value");
    const path = membersOf(field);
    if (!this.#fields.includes(path[0] ?? ""))
      throw refuse(`there is no field "${field}"; fields are ${this.#fields.join(", ")}`);
    return (value) => compare(valuesAt(value, path), operator.text, wanted);
  }
  #word(what: string): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "word") throw refuse(`${what} is expected`);
    if (!token.quoted && RESERVED.has(token.text)) throw refuse(`${what} is expected, not ${token.text}`);
    this.#at += 1;
    return token.text;
  }
}

/** A list matches if one of its items does. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((item) => valuesAt(item, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return value === undefined ? [] : [value];
  if (value === null || typeof value !== "object") return [];
  return valuesAt((value as Members)[name], rest);
}
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (value !== null && typeof value === "object") return Object.values(value).flatMap(textsOf);
  return value === undefined || value === null ? [] : [String(value)];
}

function compare(values: readonly unknown[], operator: Operator, wanted: string): boolean {
  if (operator === ":") return values.some((value) => has(value, wanted));
  if (operator === "!=") return !values.some((value) => equals(value, wanted));
  if (operator === "=") return values.some((value) => equals(value, wanted));
  return values.some((value) => isOrdered(value, operator, wanted));
}
/** `*` at the start or the end matches any text. */
function equals(value: unknown, wanted: string): boolean {
  const text = String(value);
  if (wanted.endsWith("*")) return text.startsWith(wanted.slice(0, -1));
  if (wanted.startsWith("*")) return text.endsWith(wanted.slice(1));
  return text === wanted;
}
function has(value: unknown, wanted: string): boolean {
  if (wanted === "*") return true;
  if (value !== null && typeof value === "object") return Object.hasOwn(value, wanted);
  return String(value).toLowerCase().includes(wanted.toLowerCase());
}
function isOrdered(value: unknown, operator: Operator, wanted: string): boolean {
  const bothNumbers = typeof value === "number" && wanted.trim() !== "" && !Number.isNaN(Number(wanted));
  const order = bothNumbers
    ? Math.sign((value as number) - Number(wanted))
    : Number(String(value) > wanted) - Number(String(value) < wanted);
  if (operator === "<") return order < 0;
  if (operator === ">") return order > 0;
  return operator === "<=" ? order <= 0 : order >= 0;
}
