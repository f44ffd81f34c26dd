/**
 * The part of YAML that interface descriptions are written in: maps, lists, texts in all styles, flow collections, comments.
 * Anchors, aliases, tags and several documents are refused, with the line.
 */
import { DocumentError } from "./document.ts";
import { type Flow, FlowReader, scalarOf } from "./yaml-flow.ts";

const DEPTH_MAX = 100;
const ITEM = /^-(?:\s+|$)/;
const UNSUPPORTED = /^[&*!%@`]/;
const BLOCK_TEXT = /^([|>])([+-]?)([1-9]?)([+-]?)\s*(?:#.*)?$/;
const NO_PLAIN = /^(?:[\s"'[\]{},#&*!|>%@`]|[-?:](?:\s|$))/;

type Line = { readonly number: number; readonly indent: number; readonly text: string; readonly raw: string };
const isSilent = ({ text }: Line): boolean => text === "" || text.startsWith("#");
function withoutComment(text: string): string {
  for (let at = text.indexOf("#"); at >= 0; at = text.indexOf("#", at + 1))
    if (at === 0 || /\s/.test(text[at - 1] ?? "")) return text.slice(0, at).trimEnd();
  return text.trimEnd();
}
function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}

type Key = { readonly name: string; readonly rest: string };
function quotedKeyOf(text: string): Key | undefined {
  const read = new FlowReader(text).quoted();
  const [whole] = (read && /^\s*:(?:\s+|$)/.exec(text.slice(read.end))) || [];
  return read && whole !== undefined
    ? { name: read.value, rest: text.slice(read.end + whole.length) }
    : undefined;
}
function plainKeyOf(text: string): Key | undefined {
  if (NO_PLAIN.test(text)) return undefined;
  let at = text.indexOf(":", 1);
  while (at >= 0 && /\S/.test(text[at + 1] ?? "")) at = text.indexOf(":", at + 1);
  const name = text.slice(0, Math.max(at, 0)).trimEnd();
  return at < 0 || name.includes(" #") ? undefined : { name, rest: text.slice(at + 1).trimStart() };
}

class Reader {
  readonly #lines: readonly Line[];
  #at = 0;
  #depth = 0;
  constructor(source: string) {
    this.#lines = source
      .replace(/^\uFEFF/, "")
      .split(/\r?\n/)
      .map((raw, index) => {
        const text = raw.trim();
        const indent = raw.length - raw.trimStart().length;
        return { number: index + 1, indent, text, raw };
      });
  }
  #fail(message: string, number = this.#line?.number ?? this.#lines.length): never {
    throw new DocumentError(`Line ${number}: ${message}`);
  }
  /** The next that says something. */
  get #line(): Line | undefined {
    while (this.#at < this.#lines.length && isSilent(this.#lines[this.#at] as Line)) this.#at += 1;
    return this.#lines[this.#at];
  }
  document(): unknown {
    if (this.#line?.text === "---") this.#at += 1;
    const value = this.#block(0);
    if (this.#line) this.#fail("something follows that belongs to nothing before it.");
    return value;
  }
  /** What begins here, at this indentation or deeper. */
  #block(least: number): unknown {
    const line = this.#line;
    if (!line || line.indent < least) return null;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) this.#fail("values are nested too deeply.");
    if (/^\s*\t/.test(line.raw)) this.#fail("tabs cannot indent.");
    const value = ITEM.test(line.text)
      ? this.#list(line.indent)
      : this.#keyOf(line.text)
        ? this.#map(line.indent)
        : this.#value(line.text, least - 1);
    this.#depth -= 1;
    return value;
  }
  #list(indent: number): unknown[] {
    const items: unknown[] = [];
    for (;;) {
      const line = this.#line;
      if (line?.indent !== indent || !ITEM.test(line.text)) break;
      const rest = line.text.replace(ITEM, "");
      const inner = indent + line.text.length - rest.length;
      if (withoutComment(rest) === "") {
        this.#at += 1;
        items.push(this.#block(indent + 1));
      } else if (ITEM.test(rest) || this.#keyOf(rest)) {
        // The rest of the line is the first of a block of its own.
        (this.#lines as Line[])[this.#at] = { ...line, indent: inner, text: rest };
        items.push(this.#block(inner));
      } else items.push(this.#value(rest, indent));
    }
    return items;
  }
  #map(indent: number): Record<string, unknown> {
    const members: Record<string, unknown> = Object.create(null);
    for (;;) {
      const line = this.#line;
      if (line?.indent !== indent) break;
      const key = this.#keyOf(line.text);
      if (!key) break;
      if (key.name in members) this.#fail(`'${key.name}' is given twice.`);
      members[key.name] = this.#member(line, indent, key.rest);
    }
    if (this.#line && this.#line.indent > indent) this.#fail("the indentation fits nothing before it.");
    return { ...members };
  }
  #member(line: Line, indent: number, rest: string): unknown {
    if (withoutComment(rest) !== "") return this.#value(rest, indent);
    this.#at += 1;
    const next = this.#line;
    const isList = next?.indent === indent && next !== line && ITEM.test(next.text);
    return this.#block(isList ? indent : indent + 1);
  }
  #keyOf(text: string): Key | undefined {
    return text.startsWith('"') || text.startsWith("'") ? quotedKeyOf(text) : plainKeyOf(text);
  }
  /** A value that begins in the middle of the current line; deeper lines may belong to it. */
  #value(text: string, indent: number): unknown {
    if (UNSUPPORTED.test(text)) this.#fail("anchors, aliases, tags and reserved signs are not supported.");
    const style = BLOCK_TEXT.exec(text);
    if (style) return this.#blockText(style, indent);
    if (/^["'[{]/.test(text)) return this.#flow(text, indent);
    let whole = withoutComment(text);
    this.#at += 1;
    for (let line = this.#line; line && line.indent > indent; line = this.#line) {
      if (this.#keyOf(line.text)) this.#fail("a value and a map stand in the same place.");
      whole += ` ${withoutComment(line.text)}`;
      this.#at += 1;
    }
    return scalarOf(whole);
  }
  #flow(first: string, indent: number): unknown {
    const { number } = this.#lines[this.#at] as Line;
    let text = first;
    for (;;) {
      this.#at += 1;
      let read: Flow | undefined;
      try {
        read = new FlowReader(text).whole();
      } catch (error) {
        this.#fail((error as Error).message, number);
      }
      if (read) return read.value;
      const line = this.#lines[this.#at];
      if (!line || (line.text !== "" && line.indent <= indent)) this.#fail("the value does not end.", number);
      text += `\n${line.text}`;
    }
  }
  #blockText([, style, one, depth, other]: RegExpExecArray, indent: number): string {
    this.#at += 1;
    const lines = this.#deeperLines(indent, depth ? Math.max(indent, 0) + Number(depth) : undefined);
    const chomp = one || other;
    const text = withoutLastBreaks(style === "|" ? lines.join("\n") : folded(lines));
    if (chomp === "-" || text === "") return text;
    const trailing = lines.length - lines.findLastIndex((line) => line !== "") - 1;
    return chomp === "+" ? text + "\n".repeat(trailing + 1) : `${text}\n`;
  }
  /** As they are written, without the indentation that the first of them has. */
  #deeperLines(indent: number, given: number | undefined): string[] {
    const lines: string[] = [];
    let own = given;
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] as Line;
      if (line.text !== "") own ??= line.indent > indent ? line.indent : undefined;
      if (line.text !== "" && (own === undefined || line.indent < own)) break;
      lines.push(line.text === "" ? "" : line.raw.slice(own));
    }
    return lines;
  }
}
/** Lines become one, except around empty ones and those that are indented further. */
function folded(lines: readonly string[]): string {
  let text = "";
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const breaks = before === undefined || before === "" || /^\s/.test(before) || /^\s/.test(line);
    if (line === "") text += "\n";
    else if (index === 0 || (before === "" && text.endsWith("\n"))) text += line;
    else text += `${breaks ? "\n" : " "}${line}`;
  }
  return text;
}

/** Throws a DocumentError with the line. */
export const parseYaml = (text: string): unknown => new Reader(text).document();

const PLAIN = /^[A-Za-z/_][\w /{}.-]*$/;
const textOf = (text: string): string =>
  PLAIN.test(text) && !text.endsWith(" ") && scalarOf(text) === text && !/ #/.test(text)
    ? text
    : JSON.stringify(text);
function linesOf(value: unknown, indent: string): string {
  if (Array.isArray(value) && value.length > 0)
    return value.map((item) => `\n${indent}- ${linesOf(item, `${indent}  `).replace(/^\n\s*/, "")}`).join("");
  if (value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0)
    return Object.entries(value)
      .map(([name, member]) => {
        const inner = linesOf(member, `${indent}  `);
        return `\n${indent}${textOf(name)}:${inner.startsWith("\n") ? inner : ` ${inner}`}`;
      })
      .join("");
  return typeof value === "string" ? textOf(value) : JSON.stringify(value ?? null);
}
export const writeYaml = (value: unknown): string => `${linesOf(value, "").slice(1)}\n`;
