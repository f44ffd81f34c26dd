/**
 * Replaces characters that a table has no rule for. The engine would write their code points in hexadecimal.
 * Transliterated words and names of emoji are more readable.
 */

import anyAscii from "any-ascii";
import { makeRoom } from "#kernel/memory";
import type { Engine } from "./engine.ts";

const CHARACTERS_KEPT_MAX = 20_000;
const NOT_PRINTED_ASCII = /[\P{ASCII}\p{Cc}]/gu;
/**
 * Control characters, soft hyphens, joiners, direction marks and variation selectors. They are dropped
 * unless the table has cells for them.
 */
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Variation_Selector}]$/u;

export class Substitutes {
  readonly #engine: Engine;
  readonly #tableFile: string;
  readonly #known = new Map<string, string>();

  constructor(engine: Engine, tableFile: string) {
    this.#engine = engine;
    this.#tableFile = tableFile;
  }

  /** Replaces all characters that the table does not know. */
  async apply(lines: readonly string[]): Promise<readonly string[]> {
    const characters = new Set(lines.flatMap((line) => line.match(NOT_PRINTED_ASCII) ?? []));
    if (characters.size === 0) return lines;
    const substitutes = await this.#substitutesFor(characters);
    return lines.map((line) =>
      line.replace(NOT_PRINTED_ASCII, (character) => substitutes.get(character) ?? character),
    );
  }

  /** A map of its own: while this call waits for the engine, others may remove what it needs from the shared one. */
  async #substitutesFor(characters: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const known = [...characters].flatMap((character) => {
      const substitute = this.#known.get(character);
      return substitute === undefined ? [] : [[character, substitute] as const];
    });
    const substitutes = new Map(known);
    const learned = await this.#learn([...characters].filter((character) => !substitutes.has(character)));
    for (const [character, substitute] of learned) {
      substitutes.set(character, substitute);
      makeRoom(this.#known, CHARACTERS_KEPT_MAX);
      this.#known.set(character, substitute);
    }
    return substitutes;
  }

  async #learn(characters: readonly string[]): Promise<(readonly [string, string])[]> {
    if (characters.length === 0) return [];
    const withNormal = characters.flatMap((character) => [character, ...character.normalize("NFC")]);
    const unknown = await this.#engine.findUnknown(this.#tableFile, withNormal);
    return characters.map((character) => {
      const spellings = [character, character.normalize("NFC")];
      const known = spellings.find((spelling) => [...spelling].every((one) => !unknown.has(one)));
      return [character, known ?? substituteFor(character)];
    });
  }
}

function substituteFor(character: string): string {
  if (INVISIBLE.test(character)) return "";
  return anyAscii(character) || `U+${(character.codePointAt(0) as number).toString(16).toUpperCase()}`;
}
