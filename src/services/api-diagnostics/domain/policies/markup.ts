/**
 * Parses policy documents as XML. Expressions may contain unescaped quotes and angle brackets (`rawxml`) or
 * escaped ones (`xml`).
 */

import { type Place, PolicyError, placesOf } from "./place.ts";
import { endOfExpression } from "./tokens.ts";

export type Attribute = { readonly value: string; readonly place: Place };
export type Element = {
  readonly name: string;
  readonly place: Place;
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly children: readonly Element[];
  /** Concatenated text and CDATA. */
  readonly text: string;
};

const DEPTH_MAX = 50;
const NAME = /[A-Za-z_][\w.-]*/y;
const SPACE = /\s*/y;
const NAMED = /\{\{([A-Za-z0-9._-]{1,256})\}\}/g;
/** End of a text, or the possible start of an expression. */
const TEXT = /[<@]/g;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });

class Reader {
  readonly #text: string;
  readonly #placeOf: (index: number) => Place;
  readonly #named: ReadonlyMap<string, string>;
  #at = 0;
  /** Start and end offsets of expressions. */
  readonly expressions: (readonly [number, number])[] = [];
  constructor(text: string, named: ReadonlyMap<string, string>) {
    this.#text = text;
    this.#named = named;
    this.#placeOf = placesOf(text);
  }
  fail(message: string, at = this.#at): never {
    throw new PolicyError(message, this.#placeOf(at));
  }
  /** Substitutes `{{name}}`. Inside an expression, the value is escaped as part of a string literal. */
  #filled(text: string, at: number): string {
    const isExpression = text.trimStart().startsWith("@(");
    return text.replace(NAMED, (_whole, name: string) => {
      const value = this.#named.get(name);
      if (value === undefined) return this.fail(`There is no named value '${name}'.`, at);
      return isExpression ? value.replace(/["\\]/g, (sign) => `\\${sign}`) : value;
    });
  }
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
  #take(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }
  #until(end: string, what: string): string {
    const index = this.#text.indexOf(end, this.#at);
    if (index < 0) this.fail(`${what} does not end.`);
    const inner = this.#text.slice(this.#at, index);
    this.#at = index + end.length;
    return inner;
  }
  #skipComments(): void {
    this.#match(SPACE);
    while (this.#take("<!--")) {
      this.#until("-->", "A comment");
      this.#match(SPACE);
    }
  }
  document(): Element {
    this.#skipComments();
    if (this.#take("<?")) this.#until("?>", "The declaration");
    this.#skipComments();
    const root = this.#element(1);
    this.#skipComments();
    if (this.#at < this.#text.length) this.fail("Something follows the end of the document.");
    return root;
  }
  #element(depth: number): Element {
    const start = this.#at;
    if (depth > DEPTH_MAX) this.fail("Elements are nested too deeply.");
    if (!this.#take("<")) this.fail("An element is expected.");
    const name = this.#match(NAME);
    if (name === undefined) this.fail("The name of an element is expected; document types are not read.");
    const attributes = this.#attributes();
    const place = this.#placeOf(start);
    if (this.#take("/>")) return { name, place, attributes, children: [], text: "" };
    if (!this.#take(">")) this.fail(`The element '${name}' does not end.`);
    return { name, place, attributes, ...this.#content(name, depth) };
  }
  #attributes(): Map<string, Attribute> {
    const attributes = new Map<string, Attribute>();
    for (;;) {
      this.#match(SPACE);
      const start = this.#at;
      const name = this.#match(NAME);
      if (name === undefined) return attributes;
      this.#match(SPACE);
      if (!this.#take("=")) this.fail(`The attribute '${name}' has no value.`);
      this.#match(SPACE);
      if (attributes.has(name)) this.fail(`The attribute '${name}' is given twice.`, start);
      attributes.set(name, { value: this.#filled(this.#value(name), start), place: this.#placeOf(start) });
    }
  }
  #value(name: string): string {
    const quote = this.#text[this.#at];
    if (quote !== '"' && quote !== "'") this.fail(`The value of '${name}' must be in quotes.`);
    this.#at += 1;
    const start = this.#at;
    const end = endOfExpression(this.#text, start);
    // If quotes in the expression are escaped, the first unescaped quote ends the attribute.
    if (end !== undefined && this.#text[end] === quote && !this.#text.slice(start, end).includes("&quot;")) {
      this.#at = end + 1;
      this.expressions.push([start, end]);
      return unescaped(this.#text.slice(start, end));
    }
    const value = this.#until(quote, `The value of '${name}'`);
    if (value.startsWith("@(")) this.expressions.push([start, start + value.length]);
    if (value.includes("<")) this.fail("'<' must be written as '&lt;' here.", start + value.indexOf("<"));
    return unescaped(value);
  }
  #content(name: string, depth: number): { children: Element[]; text: string } {
    const start = this.#at;
    const children: Element[] = [];
    let text = "";
    while (!this.#take("</")) {
      if (this.#take("<!--")) this.#until("-->", "A comment");
      else if (this.#take("<![CDATA[")) text += this.#until("]]>", "A CDATA section");
      else if (this.#text[this.#at] === "<") children.push(this.#element(depth + 1));
      else text += this.#expression() ?? this.#plainText(name);
    }
    const closing = this.#match(NAME);
    this.#match(SPACE);
    if (closing !== name || !this.#take(">")) this.fail(`'</${name}>' is expected.`);
    return { children, text: this.#filled(text, start) };
  }
  #expression(): string | undefined {
    const end = endOfExpression(this.#text, this.#at);
    if (end === undefined && /^@[({]/.test(this.#text.slice(this.#at, this.#at + 2)))
      this.fail("The expression does not end.");
    if (end === undefined) return undefined;
    const text = unescaped(this.#text.slice(this.#at, end));
    this.expressions.push([this.#at, end]);
    this.#at = end;
    return text;
  }
  #plainText(name: string): string {
    const start = this.#at;
    TEXT.lastIndex = start + 1;
    const next = TEXT.exec(this.#text)?.index;
    if (next === undefined) this.fail(`The element '${name}' does not end.`);
    this.#at = next;
    return unescaped(this.#text.slice(start, this.#at));
  }
}

export const parseMarkup = (text: string, named: ReadonlyMap<string, string> = new Map()): Element =>
  new Reader(text, named).document();

const SIGNS: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" };
/**
 * Rewrites expressions escaped (`xml`) or unescaped (`rawxml`). An invalid document is returned unchanged.
 */
export function inFormat(text: string, format: "xml" | "rawxml", named: ReadonlyMap<string, string>): string {
  const reader = new Reader(text, named);
  try {
    reader.document();
  } catch (error) {
    if (error instanceof PolicyError) return text;
    throw error;
  }
  let written = "";
  let last = 0;
  for (const [from, to] of reader.expressions) {
    const plain = unescaped(text.slice(from, to));
    written += text.slice(last, from);
    written += format === "xml" ? plain.replace(/[<>&"]/g, (sign) => SIGNS[sign] ?? sign) : plain;
    last = to;
  }
  return written + text.slice(last);
}
