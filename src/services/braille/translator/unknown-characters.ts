/** Which characters a table of the bundled engine has no rule for: the engine itself does not say. */
import type { Line } from "../domain/cells.ts";

/**
 * No table knows these: what the engine makes of two of them shows how it writes what it does not know, and for each
 * number of hexadecimal digits it writes differently. Some tables have one sign for all that is unknown.
 */
const UNKNOWN_PAIRS = [
  ["\u0378", "\uabff"],
  ["\u{1fffe}", "\u{efffe}"],
  ["\u{100000}", "\u{10fffe}"],
] as const;
/** A start of a few cells is enough to tell; a short one needs the length as well. */
const TELLING_START_LENGTH = 3;

/** What a rule defines: the word after the opcode, with characters as such or by their numbers. */
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

  /** A character that has a rule may look like an unknown one all the same: in Norwegian, € does. */
  has(character: string): boolean {
    if (this.#named.has(character)) return false;
    const cells = this.#translate(character);
    return this.#marks.some(
      ({ length, start }) =>
        start.every((cell, index) => cells[index] === cell) &&
        (start.length >= TELLING_START_LENGTH || cells.length === length),
    );
  }
  /** What two unknown characters have in common. */
  #markOf([one, other]: readonly [string, string]): Mark {
    const cells = this.#translate(one);
    const others = this.#translate(other);
    const differs = cells.findIndex((cell, index) => cell !== others[index]);
    return { length: cells.length, start: differs < 0 ? cells : cells.subarray(0, differs) };
  }
}
