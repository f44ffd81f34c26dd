/** Detects characters without a rule in a table of the bundled engine, which does not report them. */
import type { Line } from "../domain/cells.ts";

/**
 * Characters that no table defines. The common output of a pair shows how the engine writes unknown
 * characters. It differs by the number of hexadecimal digits. Some tables have one sign for all unknown
 * characters.
 */
const UNKNOWN_PAIRS = [
  ["\u0378", "\uabff"],
  ["\u{1fffe}", "\u{efffe}"],
  ["\u{100000}", "\u{10fffe}"],
] as const;
/** The first cells suffice to recognise the mark. A shorter mark also needs the length. */
const TELLING_START_LENGTH = 3;

/** Subject of a rule: the word after the opcode, with literal characters or code points. */
const SUBJECT =
  /^[ \t]*(?:always|digit|letter|litdigit|lowercase|math|punctuation|sign|space|uplow|uppercase)[ \t]+(\S+)/gm;
const NUMBERED = /\\x([0-9a-f]{4})/gi;

type Mark = { readonly length: number; readonly start: Line };

function charactersNamedIn(tableText: string): ReadonlySet<string> {
  const named = new Set<string>();
  for (const [, subject = ""] of tableText.matchAll(SUBJECT)) {
    for (const character of subject) named.add(character);
    for (const [, digits = ""] of subject.matchAll(NUMBERED))
      named.add(String.fromCodePoint(Number.parseInt(digits, 16)));
  }
  return named;
}

export class UnknownCharacters {
  readonly #translate: (character: string) => Line;
  readonly #named: ReadonlySet<string>;
  readonly #marks: readonly Mark[];

  constructor(translate: (character: string) => Line, tableText: string) {
    this.#translate = translate;
    this.#named = charactersNamedIn(tableText);
    this.#marks = UNKNOWN_PAIRS.map((pair) => this.#markOf(pair));
  }

  /** A defined character may look like an unknown one, such as € in Norwegian. */
  has(character: string): boolean {
    if (this.#named.has(character)) return false;
    const cells = this.#translate(character);
    return this.#marks.some(
      ({ length, start }) =>
        start.every((cell, index) => cells[index] === cell) &&
        (start.length >= TELLING_START_LENGTH || cells.length === length),
    );
  }
  /** The common start of two unknown characters. */
  #markOf([one, other]: readonly [string, string]): Mark {
    const cells = this.#translate(one);
    const others = this.#translate(other);
    const differs = cells.findIndex((cell, index) => cell !== others[index]);
    return { length: cells.length, start: differs < 0 ? cells : cells.subarray(0, differs) };
  }
}
