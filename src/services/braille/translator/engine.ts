/** What a braille engine does: text to cells and back by the rules of a table. There are two, of one library. */
import type { Line } from "../domain/cells.ts";

/** The engine gave up on this input. It has been thrown away; the next call gets a fresh one. */
export class EngineError extends Error {}

/** The one that comes with us works everywhere; the system's is newer and faster, where it is there. */
export type EngineName = "bundled" | "system";

export type Engine = {
  /** The cells of each text. */
  translate(tableFile: string, texts: readonly string[]): Promise<readonly Line[]>;
  /** The text of each row of cells. */
  translateBack(tableFile: string, lines: readonly Line[]): Promise<readonly string[]>;
  /** Those characters that the table has no rule for. */
  findUnknown(tableFile: string, characters: readonly string[]): Promise<ReadonlySet<string>>;
};

/** Of liblouis: a cell among characters. */
export const DOTS_MARK = 0x8000;

/** How much longer than the input the output may be: mostly it is shorter, but there are rules that spell things out. */
const OUTPUT_GROWTH = 3;
const OUTPUT_GROWTH_MAX = 48;
const OUTPUT_EXTRA = 256;

/** Calls with more and more room for the output, until it is enough. */
export function withEnoughRoom(
  inputLength: number,
  call: (outputRoom: number) => Uint32Array | undefined,
): Uint32Array {
  for (let growth = OUTPUT_GROWTH; growth <= OUTPUT_GROWTH_MAX; growth *= 4) {
    const output = call(growth * inputLength + OUTPUT_EXTRA);
    if (output) return output;
  }
  throw new EngineError("the output is too long");
}

export const codePointsOf = (text: string): Uint32Array =>
  Uint32Array.from(text, (character) => character.codePointAt(0) as number);
export const markedCellsOf = (cells: Line): Uint32Array =>
  Uint32Array.from(cells, (cell) => DOTS_MARK | cell);
/** The low byte of a braille character is its cell. */
export const cellsOf = (characters: Uint32Array): Line => Uint8Array.from(characters);
export function textOf(characters: Uint32Array): string {
  let text = "";
  for (const character of characters) text += String.fromCodePoint(character);
  return text;
}
