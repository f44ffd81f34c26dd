/** Text to paragraphs of cells, and back: what is around the engine's calls. */
import type { Line, Page } from "../domain/cells.ts";
import { linesOf, partsOf } from "../domain/print-text.ts";
import { readablePartsOf, withoutMarks } from "../domain/unified-english.ts";
import { Engine } from "./engine.ts";
import { Substitutes } from "./substitutes.ts";

const UNIFIED_ENGLISH = /^en-ueb-/;

export class Translator {
  readonly #engine = new Engine();
  readonly #substitutes = new Map<string, Substitutes>();

  /** One paragraph for each line of the text. */
  translate(tableFile: string, text: string): Page {
    const substitutes = this.#substitutesOf(tableFile);
    return linesOf(text).map((line) => {
      const parts = partsOf(substitutes.apply(line)).map((part) => this.#engine.translate(tableFile, part));
      return concatenate(parts);
    });
  }

  /** One line of text for each paragraph. */
  translateBack(tableFile: string, paragraphs: Page): string {
    const read = (cells: Line) => this.#engine.translateBack(tableFile, cells);
    const readUnified = (cells: Line) => withoutMarks(readablePartsOf(cells).map(read).join(""));
    return paragraphs.map(UNIFIED_ENGLISH.test(tableFile) ? readUnified : read).join("\n");
  }

  #substitutesOf(tableFile: string): Substitutes {
    let substitutes = this.#substitutes.get(tableFile);
    if (!substitutes) {
      substitutes = new Substitutes(this.#engine, tableFile);
      this.#substitutes.set(tableFile, substitutes);
    }
    return substitutes;
  }
}

function concatenate(lines: readonly Line[]): Line {
  const [only] = lines;
  if (only && lines.length === 1) return only;
  const whole = new Uint8Array(lines.reduce((sum, line) => sum + line.length, 0));
  let at = 0;
  for (const line of lines) {
    whole.set(line, at);
    at += line.length;
  }
  return whole;
}
