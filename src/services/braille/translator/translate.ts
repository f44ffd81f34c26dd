/** Translates text to paragraphs of cells and back: the processing around engine calls. */
import type { Line, Page } from "../domain/cells.ts";
import { linesOf, partsOf } from "../domain/print-text.ts";
import { readablePartsOf, UNIFIED_ENGLISH, withoutMarks } from "../domain/unified-english.ts";
import type { Engine } from "./engine.ts";
import { Substitutes } from "./substitutes.ts";

export class Translator {
  readonly #engine: Engine;
  readonly #substitutes = new Map<string, Substitutes>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** One paragraph for each line of the text. */
  async translate(tableFile: string, text: string): Promise<Page> {
    const lines = await this.#substitutesOf(tableFile).apply(linesOf(text));
    return this.#eachInParts(lines.map(partsOf), concatenate, (parts) =>
      this.#engine.translate(tableFile, parts),
    );
  }

  /** One line of text for each paragraph. */
  async translateBack(tableFile: string, paragraphs: Page): Promise<string> {
    const isUnified = UNIFIED_ENGLISH.test(tableFile);
    const parts = paragraphs.map((cells) => (isUnified ? readablePartsOf(cells) : [cells]));
    const lines = await this.#eachInParts(
      parts,
      (texts: readonly string[]) => texts.join(""),
      (cells) => this.#engine.translateBack(tableFile, cells),
    );
    return lines.map((line) => (isUnified ? withoutMarks(line) : line)).join("\n");
  }

  /** All parts of all lines are sent to the engine in one call, because it may be in another process. */
  async #eachInParts<From, To>(
    lines: readonly (readonly From[])[],
    join: (parts: readonly To[]) => To,
    translate: (parts: readonly From[]) => Promise<readonly To[]>,
  ): Promise<To[]> {
    const translated = await translate(lines.flat());
    let at = 0;
    return lines.map(({ length }) => {
      at += length;
      return join(translated.slice(at - length, at));
    });
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
