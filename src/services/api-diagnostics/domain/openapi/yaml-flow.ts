/** Values of YAML that end by a sign instead of by their indentation: quoted texts, lists in brackets, maps in braces. */

const DEPTH_MAX = 50;
const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "/": "/",
  "\\": "\\",
};
export type Flow = { readonly value: unknown; readonly end: number };

/** What a plain text stands for. */
export function scalarOf(text: string): unknown {
  if (/^(?:~|null|Null|NULL|)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?\d{1,300}$/.test(text)) return Number(text);
  if (/^0x[\da-fA-F]{1,12}$/.test(text)) return Number.parseInt(text.slice(2), 16);
  if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?$/.test(text)) return Number(text);
  return text;
}
/** Line breaks inside a quoted text are spaces; empty lines are line breaks. */
const unfolded = (breaks: string): string => "\n".repeat(breaks.split("\n").length - 2) || " ";
function withoutLastBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === " " || text[end - 1] === "\t") end -= 1;
  return text.slice(0, end);
}

/** Undefined where the text ends before the value does. */
export class FlowReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  constructor(text: string) {
    this.#text = text;
  }
  whole(): Flow | undefined {
    const read = this.#value();
    if (!read) return undefined;
    this.#skip();
    if (this.#at < this.#text.length) throw new Error("something follows the end of the value.");
    return read;
  }
  quoted(): { readonly value: string; readonly end: number } | undefined {
    const quote = this.#text[this.#at] as string;
    const start = this.#at + 1;
    let value = "";
    for (let at = start; at < this.#text.length; at += 1) {
      const sign = this.#text[at] as string;
      if (sign === quote && quote === "'" && this.#text[at + 1] === "'") at += 1;
      else if (sign === quote) {
        this.#at = at + 1;
        return { value, end: this.#at };
      }
      if (sign === "\\" && quote === '"') {
        const read = this.#escape(at + 1);
        value += read.text;
        at = read.end - 1;
      } else if (sign === "\n") {
        const [space = "\n"] = /^\n[ \t\n]*/.exec(this.#text.slice(at)) ?? [];
        value = withoutLastBlanks(value) + unfolded(space);
        at += space.length - 1;
      } else value += sign;
    }
    return undefined;
  }
  #escape(at: number): { text: string; end: number } {
    const sign = this.#text[at] ?? "";
    if (sign === "\n") return { text: "", end: at + (/^\n\s*/.exec(this.#text.slice(at))?.[0].length ?? 1) };
    const digits = /^(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/
      .exec(this.#text.slice(at, at + 9))?.[0]
      .slice(1);
    if (digits !== undefined) {
      const code = Number.parseInt(digits, 16);
      if (code > 0x10ffff) throw new Error("an escaped character does not exist.");
      return { text: String.fromCodePoint(code), end: at + 1 + digits.length };
    }
    const text = ESCAPES[sign];
    if (text === undefined) throw new Error(`'\\${sign}' is no escape.`);
    return { text, end: at + 1 };
  }
  #skip(): void {
    const [space = ""] = /^(?:\s|(?<=\s|^)#[^\n]*)*/.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += space.length;
  }
  #value(): Flow | undefined {
    this.#skip();
    const sign = this.#text[this.#at];
    if (sign === undefined) return undefined;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new Error("values are nested too deeply.");
    const read =
      sign === "["
        ? this.#list()
        : sign === "{"
          ? this.#map()
          : sign === '"' || sign === "'"
            ? this.quoted()
            : this.#plain();
    this.#depth -= 1;
    return read;
  }
  #plain(): Flow | undefined {
    const start = this.#at;
    while (this.#at < this.#text.length && !this.#endsPlain(start)) this.#at += 1;
    const text = this.#text.slice(start, this.#at);
    if (/^[&*!%@`]/.test(text))
      throw new Error("anchors, aliases, tags and reserved signs are not supported.");
    return { value: scalarOf(text.trim()), end: this.#at };
  }
  #endsPlain(start: number): boolean {
    const sign = this.#text[this.#at] ?? "";
    if (",[]{}\n".includes(sign)) return true;
    if (sign === ":") return /^(?:[\s,[\]{}]|$)/.test(this.#text[this.#at + 1] ?? "");
    return sign === "#" && (this.#at === start || /\s/.test(this.#text[this.#at - 1] ?? ""));
  }
  #list(): Flow | undefined {
    const items: unknown[] = [];
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#take("]")) return { value: items, end: this.#at };
      const item = this.#value();
      this.#skip();
      if (!item || this.#at >= this.#text.length) return undefined;
      items.push(item.value);
      if (!this.#take(",") && this.#text[this.#at] !== "]") throw new Error("',' or ']' is expected.");
    }
  }
  #map(): Flow | undefined {
    const members: Record<string, unknown> = Object.create(null);
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#take("}")) return { value: { ...members }, end: this.#at };
      const name = this.#name();
      const member = name === undefined ? undefined : this.#value();
      this.#skip();
      if (name === undefined || !member || this.#at >= this.#text.length) return undefined;
      members[name] = member.value;
      if (!this.#take(",") && this.#text[this.#at] !== "}") throw new Error("',' or '}' is expected.");
    }
  }
  /** Of a member, with the sign that follows it. */
  #name(): string | undefined {
    const before = this.#at;
    const name = this.#value();
    this.#skip();
    if (!name || this.#at >= this.#text.length) return undefined;
    const text = typeof name.value === "string" ? name.value : this.#text.slice(before, this.#at).trim();
    if (!this.#take(":")) throw new Error("':' is expected.");
    return text;
  }
  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }
}
