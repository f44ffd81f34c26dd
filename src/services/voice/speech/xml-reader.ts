/** Strict parser for small XML documents: no DTD, no custom entities, limits on depth and attributes. */
import { type SourcePosition, SsmlError } from "./errors.ts";

export type XmlHandler = {
  open(name: string, attributes: ReadonlyMap<string, string>, offset: number): void;
  text(text: string, offset: number): void;
  close(name: string, offset: number): void;
};

export type XmlOptions = {
  /** Allows text and several elements at the top level. */
  isFragment: boolean;
};

const DEPTH_MAX = 32;
const ATTRIBUTES_MAX = 16;
const NAME = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y;
const SPACE = /[ \t\r\n]+/y;
const DECLARATION =
  /<\?xml[ \t\r\n]+version=(["'])1\.[0-9]\1(?:[ \t\r\n]+encoding=(["'])[A-Za-z][\w.-]*\2)?(?:[ \t\r\n]+standalone=(["'])(?:yes|no)\3)?[ \t\r\n]*\?>/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

export function positionAt(source: string, offset: number): SourcePosition {
  const before = source.slice(0, offset).split(/\r\n|\r|\n/);
  return { offset, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Calls the handler for each part of the document in order. Throws SsmlError at the first error. */
export function readXml(source: string, handler: XmlHandler, options: XmlOptions): void {
  new XmlReader(source, handler, options).read();
}

class XmlReader {
  readonly #source: string;
  readonly #handler: XmlHandler;
  readonly #options: XmlOptions;
  readonly #open: { name: string; offset: number }[] = [];
  #offset = 0;
  #elementsAtTop = 0;

  constructor(source: string, handler: XmlHandler, options: XmlOptions) {
    this.#source = source;
    this.#handler = handler;
    this.#options = options;
  }

  read(): void {
    const forbidden = FORBIDDEN.exec(this.#source);
    if (forbidden !== null) this.#fail("A character that XML does not allow", forbidden.index);
    if (this.#source.startsWith("\ufeff")) this.#offset = 1;
    this.#take(DECLARATION);
    while (this.#offset < this.#source.length) this.#readPiece();
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) this.#fail(`The element <${unclosed.name}> is not closed`, unclosed.offset);
    if (!this.#options.isFragment && this.#elementsAtTop === 0) this.#fail("The document has no element", 0);
  }

  #readPiece(): void {
    const source = this.#source;
    const offset = this.#offset;
    if (source[offset] !== "<") this.#readText();
    else if (source.startsWith("<!--", offset)) this.#readComment();
    else if (source.startsWith("<![CDATA[", offset)) this.#readCharacterData();
    else if (source.startsWith("<!", offset))
      this.#fail("A document type or declaration is not allowed", offset);
    else if (source.startsWith("<?", offset))
      this.#fail("A processing instruction is not allowed here", offset);
    else if (source.startsWith("</", offset)) this.#readClosingTag();
    else this.#readOpeningTag();
  }

  #readText(): void {
    const start = this.#offset;
    const found = this.#source.indexOf("<", start);
    const end = found === -1 ? this.#source.length : found;
    const raw = this.#source.slice(start, end);
    const forbidden = raw.indexOf("]]>");
    if (forbidden !== -1) this.#fail("The sequence ]]> is not allowed in text", start + forbidden);
    this.#offset = end;
    this.#emitText(this.#decode(raw, start), start);
  }

  #emitText(text: string, offset: number): void {
    if (this.#open.length > 0 || this.#options.isFragment) this.#handler.text(text, offset);
    else if (text.trim() !== "") this.#fail("Text is not allowed outside the outermost element", offset);
  }

  #readComment(): void {
    const start = this.#offset;
    const end = this.#source.indexOf("--", start + 4);
    if (end === -1) this.#fail("The comment is not closed", start);
    if (this.#source[end + 2] !== ">") this.#fail("Two hyphens are not allowed inside a comment", end);
    this.#offset = end + 3;
  }

  #readCharacterData(): void {
    const start = this.#offset;
    const end = this.#source.indexOf("]]>", start);
    if (end === -1) this.#fail("The CDATA section is not closed", start);
    this.#offset = end + 3;
    this.#emitText(this.#source.slice(start + 9, end), start);
  }

  #readClosingTag(): void {
    const start = this.#offset;
    this.#offset += 2;
    const name = this.#take(NAME) ?? this.#fail("A name is expected after </", this.#offset);
    this.#take(SPACE);
    if (this.#source[this.#offset] !== ">") this.#fail(`The tag </${name}> is not complete`, start);
    this.#offset += 1;
    const open = this.#open.pop();
    if (open === undefined) this.#fail(`The tag </${name}> closes nothing`, start);
    if (open.name !== name) this.#fail(`The tag </${name}> does not close <${open.name}>`, start);
    this.#handler.close(name, start);
  }

  #readOpeningTag(): void {
    const start = this.#offset;
    this.#offset += 1;
    const name =
      this.#take(NAME) ?? this.#fail("A name is expected after < (write &lt; for the character)", start);
    if (this.#open.length === 0) {
      this.#elementsAtTop += 1;
      if (this.#elementsAtTop > 1 && !this.#options.isFragment)
        this.#fail("Only one outermost element is allowed", start);
    }
    if (this.#open.length >= DEPTH_MAX) this.#fail(`Elements are nested more than ${DEPTH_MAX} deep`, start);
    const attributes = this.#readAttributes(name, start);
    const isEmpty = this.#source[this.#offset] === "/";
    if (isEmpty) this.#offset += 1;
    if (this.#source[this.#offset] !== ">") this.#fail(`The tag <${name}> is not complete`, start);
    this.#offset += 1;
    this.#handler.open(name, attributes, start);
    if (isEmpty) this.#handler.close(name, start);
    else this.#open.push({ name, offset: start });
  }

  #readAttributes(element: string, start: number): Map<string, string> {
    const attributes = new Map<string, string>();
    while (this.#take(SPACE) !== undefined) {
      const offset = this.#offset;
      const name = this.#take(NAME);
      if (name === undefined) break;
      if (attributes.has(name)) this.#fail(`The attribute ${name} is given twice on <${element}>`, offset);
      if (attributes.size >= ATTRIBUTES_MAX)
        this.#fail(`More than ${ATTRIBUTES_MAX} attributes on <${element}>`, start);
      attributes.set(name, this.#readAttributeValue(name));
    }
    return attributes;
  }

  #readAttributeValue(name: string): string {
    this.#take(SPACE);
    if (this.#source[this.#offset] !== "=") this.#fail(`The attribute ${name} has no value`, this.#offset);
    this.#offset += 1;
    this.#take(SPACE);
    const quote = this.#source[this.#offset];
    if (quote !== '"' && quote !== "'") this.#fail(`The value of ${name} is not in quotes`, this.#offset);
    const start = this.#offset + 1;
    const end = this.#source.indexOf(quote, start);
    if (end === -1) this.#fail(`The value of ${name} has no closing quote`, start);
    const raw = this.#source.slice(start, end);
    const forbidden = raw.indexOf("<");
    if (forbidden !== -1)
      this.#fail(`The character < is not allowed in the value of ${name}`, start + forbidden);
    this.#offset = end + 1;
    return this.#decode(raw, start).replaceAll(/[\t\r\n]/g, " ");
  }

  #decode(raw: string, start: number): string {
    if (!raw.includes("&")) return raw;
    return raw.replaceAll(/&([^;&\s]{1,12};)?/g, (whole, body: string | undefined, index: number) => {
      if (body === undefined) this.#fail("The character & must be written as &amp;", start + index);
      const name = body.slice(0, -1);
      const value = ENTITIES.get(name) ?? decodeCharacterReference(name);
      return value ?? this.#fail(`The entity ${whole} is not known`, start + index);
    });
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#source)?.[0];
    if (match !== undefined) this.#offset += match.length;
    return match;
  }

  #fail(message: string, offset: number): never {
    throw new SsmlError(message, positionAt(this.#source, offset));
  }
}

function decodeCharacterReference(name: string): string | undefined {
  const digits = /^#(?:([0-9]{1,7})|x([0-9A-Fa-f]{1,6}))$/.exec(name);
  if (digits === null) return undefined;
  const codePoint = digits[1] === undefined ? Number.parseInt(digits[2] ?? "", 16) : Number(digits[1]);
  if (codePoint > 0x10ffff) return undefined;
  const character = String.fromCodePoint(codePoint);
  return FORBIDDEN.test(character) ? undefined : character;
}
