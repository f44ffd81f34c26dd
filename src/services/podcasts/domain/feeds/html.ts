/** Sanitizes untrusted HTML. It serializes allowed elements again, so malformed markup cannot pass. */
import { escapeHtml } from "#kernel/html";
import { webAddress } from "./addresses.ts";
import { cutText } from "./encoding.ts";
import { childrenOf, markupOf, markupParser, type XmlNode } from "./xml-tree.ts";

const KEPT: ReadonlySet<string> = new Set([
  "p",
  "br",
  "b",
  "strong",
  "i",
  "em",
  "u",
  "ul",
  "ol",
  "li",
  "a",
  "blockquote",
  "code",
  "pre",
  "h1",
  "h2",
  "h3",
  "h4",
]);
/** Elements that are removed with their content. */
const DROPPED: ReadonlySet<string> = new Set([
  "script",
  "style",
  "applet",
  "noscript",
  "template",
  "svg",
  "math",
  "head",
  "textarea",
  "select",
]);
const BLOCKS: ReadonlySet<string> = new Set([
  "p",
  "div",
  "br",
  "li",
  "ul",
  "ol",
  "h1",
  "h2",
  "h3",
  "h4",
  "blockquote",
  "tr",
  "section",
  "article",
  "pre",
]);
const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s"'<>]{1,2000}$/i;
const OPEN_MAX = 50;
/** Limit of open tags. Parse time is quadratic in the depth, so the rest of a deeper text is dropped. */
const DEPTH_MAX = 1000;

export type CleanHtml = { readonly html: string; readonly text: string };

class Cleaner {
  html = "";
  text = "";
  readonly #open: string[] = [];
  #dropDepth = 0;
  readonly #charactersMax: number;
  readonly #base: string;

  constructor(charactersMax: number, base: string) {
    this.#charactersMax = charactersMax;
    this.#base = base;
  }
  get isFull(): boolean {
    return this.html.length >= this.#charactersMax;
  }
  onopentag(name: string, { href = "" }: Record<string, string>): void {
    if (DROPPED.has(name)) this.#dropDepth += 1;
    if (this.#dropDepth > 0 || this.isFull) return;
    if (BLOCKS.has(name)) this.#break();
    if (!KEPT.has(name)) return;
    if (name === "br") this.html += "<br>";
    else if (this.#open.length < OPEN_MAX) {
      const address = this.#absolute(href.trim());
      if (name === "a" && !ADDRESS.test(address)) return;
      this.html += name === "a" ? `<a href="${escapeHtml(address)}" rel="nofollow noopener">` : `<${name}>`;
      this.#open.push(name);
    }
  }
  #absolute(address: string): string {
    const isRelative = address !== "" && this.#base !== "" && !URL.canParse(address);
    return isRelative ? webAddress(address, this.#base) : address;
  }
  onclosetag(name: string): void {
    if (DROPPED.has(name)) this.#dropDepth = Math.max(0, this.#dropDepth - 1);
    else if (this.#dropDepth === 0 && name !== "br") {
      if (BLOCKS.has(name)) this.#break();
      this.#close(name);
    }
  }
  #close(name: string): void {
    const at = this.#open.lastIndexOf(name);
    if (at < 0) return;
    while (this.#open.length > at) this.html += `</${this.#open.pop()}>`;
  }
  ontext(text: string): void {
    if (this.#dropDepth > 0 || this.isFull) return;
    const room = this.#charactersMax - this.html.length;
    const part = text.length > room ? `${cutText(text, room)}…` : text;
    this.html += escapeHtml(part);
    this.text += part;
  }
  #break(): void {
    if (this.text !== "" && !this.text.endsWith("\n")) this.text += "\n";
  }
  end(): CleanHtml {
    while (this.#open.length > 0) this.html += `</${this.#open.pop()}>`;
    return { html: this.html.trim(), text: collapsed(this.text) };
  }
}

const collapsed = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();

const TAG = /<\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,2000})?\/?>/i;
const ESCAPED_TAG = /&lt;\/?(?:p|br|a|b|i|em|strong|ul|ol|li|div|span|h[1-6])(?:\s|\/|&gt;)/i;
/** Text without these characters needs no HTML parser. Most titles and many descriptions have none. */
const MARKED = /[<&\r\n]/;
const unescapedOnce = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

const CDATA = "<![CDATA[";
/**
 * Removes comments, declarations and nested CDATA marks. An unclosed comment ends at the next `>`, so that
 * it does not swallow the text after it. A declaration without `>` becomes text.
 */
function withSoundDeclarations(raw: string): string {
  if (!raw.includes("<!")) return raw;
  const text = raw.includes(CDATA) ? raw.replaceAll(CDATA, "").replace(/\]\](?:>|&gt;)\s*$/, "") : raw;
  const lastEnd = text.lastIndexOf(">");
  const lastCommentEnd = text.lastIndexOf("-->");
  let sound = "";
  let at = 0;
  for (let next = text.indexOf("<!"); next >= 0; next = text.indexOf("<!", at)) {
    sound += text.slice(at, next);
    if (next > lastEnd && text.startsWith("<!--", next)) return sound;
    if (next > lastEnd) return sound + text.slice(next).replaceAll("<!", "&lt;!");
    const isComment = text.startsWith("<!--", next) && next + 2 <= lastCommentEnd;
    const mark = isComment ? "-->" : ">";
    at = text.indexOf(mark, next + 2) + mark.length;
  }
  return sound + text.slice(at);
}

/**
 * Text without tags keeps its line breaks. Tags that were escaped twice are unescaped. `base` resolves
 * links.
 */
export function cleanHtml(raw: string, { charactersMax = 100_000, base = "" } = {}): CleanHtml {
  if (raw.length <= charactersMax && !MARKED.test(raw))
    return { html: escapeHtml(raw.trim()), text: collapsed(raw) };
  const given = withSoundDeclarations(raw);
  const source = !TAG.test(given) && ESCAPED_TAG.test(given) ? unescapedOnce(given) : given;
  const markup = TAG.test(source) ? source : source.trim().replace(/\r\n?|\n/g, "<br>");
  const cleaner = new Cleaner(charactersMax, base);
  const { Parser } = markupParser();
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > DEPTH_MAX) parser.reset();
        else cleaner.onopentag(name, attributes);
      },
      onclosetag(name) {
        depth -= 1;
        cleaner.onclosetag(name);
      },
      ontext: (text) => cleaner.ontext(text),
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(markup);
  return cleaner.end();
}

/** First child with text, as one line; for titles. */
export function firstLineOf(node: XmlNode, names: readonly string[]): string {
  for (const name of names)
    for (const child of childrenOf(node, name)) {
      const line = plainLine(markupOf(child));
      if (line !== "") return line;
    }
  return "";
}

/** One line without tags, for titles and names. */
export function plainLine(raw: string, charactersMax = 500): string {
  const { text } = /[<&]/.test(raw) ? cleanHtml(raw, { charactersMax: 10_000 }) : { text: raw };
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > charactersMax ? `${cutText(line, charactersMax - 1)}…` : line;
}
