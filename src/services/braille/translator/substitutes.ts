/**
 * Characters that a table has no rule for. The engine would write their numbers in hexadecimal; a reader has more of
 * Latin letters: a word of another script is transliterated, an emoji named.
 */
import anyAscii from "any-ascii";
import type { Engine } from "./engine.ts";

/**
 * No table knows these: what the engine makes of two of them shows how it writes what it does not know, and for each
 * number of hexadecimal digits it writes differently.
 */
const UNKNOWN_PAIRS = [
  ["\u0378", "\ue000"],
  ["\u{1fffe}", "\u{efffe}"],
  ["\u{100000}", "\u{10fffe}"],
] as const;
const CHARACTERS_KEPT_MAX = 20_000;
const NOT_ASCII = /\P{ASCII}/gu;
/** Joiners, marks of direction, selectors of variants: not to be seen, so not to be told. */
const INVISIBLE = /^[\p{Cf}\p{Variation_Selector}]$/u;

/** How unknown characters look. A start of a few cells is enough to tell; a short one needs the length as well. */
type Mark = { readonly length: number; readonly start: Uint8Array };
const TELLING_START_LENGTH = 3;

const startsWith = (cells: Uint8Array, start: Uint8Array): boolean =>
  start.every((cell, index) => cells[index] === cell);

export class Substitutes {
  readonly #engine: Engine;
  readonly #tableFile: string;
  readonly #marks: readonly Mark[];
  readonly #known = new Map<string, string>();

  constructor(engine: Engine, tableFile: string) {
    this.#engine = engine;
    this.#tableFile = tableFile;
    this.#marks = UNKNOWN_PAIRS.map((pair) => this.#markOf(pair));
  }

  /** The text with every character replaced that the table does not know. */
  apply(text: string): string {
    return text.replace(NOT_ASCII, (character) => {
      let substitute = this.#known.get(character);
      if (substitute === undefined) {
        if (this.#known.size >= CHARACTERS_KEPT_MAX) this.#known.clear();
        substitute = this.#isUnknown(character) ? substituteFor(character) : character;
        this.#known.set(character, substitute);
      }
      return substitute;
    });
  }

  #isUnknown(character: string): boolean {
    const cells = this.#engine.translate(this.#tableFile, character);
    return this.#marks.some(
      ({ length, start }) =>
        startsWith(cells, start) && (start.length >= TELLING_START_LENGTH || cells.length === length),
    );
  }
  /** What two unknown characters have in common. */
  #markOf([one, other]: readonly [string, string]): Mark {
    const cells = this.#engine.translate(this.#tableFile, one);
    const others = this.#engine.translate(this.#tableFile, other);
    const differs = cells.findIndex((cell, index) => cell !== others[index]);
    return { length: cells.length, start: differs < 0 ? cells : cells.subarray(0, differs) };
  }
}

function substituteFor(character: string): string {
  if (INVISIBLE.test(character)) return "";
  return anyAscii(character) || `U+${(character.codePointAt(0) as number).toString(16).toUpperCase()}`;
}
