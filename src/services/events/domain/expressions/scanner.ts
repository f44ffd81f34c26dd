/** Scanner for expressions: spaces, words, numerals, identifiers and paths. */
import { ExpressionFault } from "../faults.ts";
import type { Path } from "./syntax.ts";

const isDigit = (character: string) => character >= "0" && character <= "9";
const isLetter = (character: string) =>
  (character >= "a" && character <= "z") || (character >= "A" && character <= "Z");
const isWordPart = (character: string) => isLetter(character) || isDigit(character) || character === "_";

/** Whether a reference can use it without backticks. */
export function isPlainIdentifier(text: string): boolean {
  if (!isLetter(text.charAt(0)) && text.charAt(0) !== "_") return false;
  for (const character of text) if (!isWordPart(character)) return false;
  return true;
}

/** Canonical text of a path, independent of backticks. */
export const pathText = (path: Path): string =>
  path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      const name = isPlainIdentifier(part) ? part : `\`${part}\``;
      return index === 0 ? name : `.${name}`;
    })
    .join("");

export class Scanner {
  readonly text: string;
  position = 0;
  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.position + 1;
  }
  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }
  /** The next character, or "" at the end. */
  get next(): string {
    return this.text.charAt(this.position);
  }
  fault(message: string, column = this.column): ExpressionFault {
    return new ExpressionFault(message, column);
  }
  skipSpaces(): void {
    while (this.next !== "" && " \t\r\n".includes(this.next)) this.position += 1;
  }
  /** Consumes `word` if it is next. */
  takes(word: string): boolean {
    if (!this.text.startsWith(word, this.position)) return false;
    this.position += word.length;
    return true;
  }
  expect(word: string, instead = "This can't stand here"): void {
    if (!this.takes(word))
      throw this.fault(this.isAtEnd ? `"${word}" is missing.` : `${instead}: "${word}" was expected.`);
  }

  private digits(): void {
    while (isDigit(this.next)) this.position += 1;
  }
  get isAtNumeral(): boolean {
    return isDigit(this.next) || (this.next === "." && isDigit(this.text.charAt(this.position + 1)));
  }
  /** Digits with an optional fraction and exponent. */
  numeral(): string {
    const start = this.position;
    this.digits();
    if (this.next === "." && isDigit(this.text.charAt(this.position + 1))) {
      this.position += 1;
      this.digits();
    }
    this.exponent();
    if (isWordPart(this.next)) throw this.fault("A number can't be followed by a letter.");
    return this.text.slice(start, this.position);
  }
  private exponent(): void {
    if (this.next !== "e" && this.next !== "E") return;
    const sign = "+-".includes(this.text.charAt(this.position + 1)) ? 1 : 0;
    if (!isDigit(this.text.charAt(this.position + 1 + sign))) return;
    this.position += 1 + sign;
    this.digits();
  }

  get isAtWord(): boolean {
    return isLetter(this.next);
  }
  word(): string {
    const start = this.position;
    while (this.next !== "" && isWordPart(this.next)) this.position += 1;
    return this.text.slice(start, this.position);
  }
  /** Letters, digits, `_` and `-`, or anything between backticks. */
  pathName(): string {
    const start = this.position;
    while (this.next === "-" || (this.next !== "" && isWordPart(this.next))) this.position += 1;
    return this.position > start ? this.text.slice(start, this.position) : this.identifier();
  }
  /** A word, or anything between backticks. */
  identifier(): string {
    if (this.isAtWord || this.next === "_") return this.word();
    if (this.next !== "`")
      throw this.fault(
        this.isAtEnd
          ? "A name is missing."
          : "A name that begins otherwise than with a letter or _ stands between backticks.",
      );
    const end = this.text.indexOf("`", this.position + 1);
    if (end < 0) throw this.fault("The backtick has no second one.");
    const name = this.text.slice(this.position + 1, end);
    if (name === "") throw this.fault("There is no name between the backticks.");
    this.position = end + 1;
    return name;
  }
  /** Any number of `.name` and `[0]`. */
  path(name = () => this.identifier()): Path {
    const path: (string | number)[] = [];
    for (;;) {
      if (this.takes(".")) path.push(name());
      else if (this.takes("[")) path.push(this.listPosition());
      else return path;
    }
  }
  private listPosition(): number {
    const start = this.position;
    this.digits();
    if (this.position === start || this.position - start > 9)
      throw this.fault("A whole number stands between brackets.", start + 1);
    const position = Number(this.text.slice(start, this.position));
    this.expect("]");
    return position;
  }
}

/**
 * A path alone: an attribute of an input, or the key of a model. Names can start with any character and
 * contain hyphens.
 */
export function parsePath(text: string): Path {
  const scanner = new Scanner(text);
  const path = [scanner.pathName(), ...scanner.path(() => scanner.pathName())];
  if (!scanner.isAtEnd) throw scanner.fault("The path ends here with something else.");
  return path;
}
