/**
 * Interface of a braille engine: text to cells and back, by a table. The two engines are builds of one
 * library.
 */
import type { Line } from "../domain/cells.ts";

/** The engine failed on this input and was discarded. The next call gets a new one. */
export class EngineError extends Error {}

/** The bundled engine works everywhere. The system's is newer and faster, if installed. */
export type EngineName = "bundled" | "system";

export type Engine = {
  /** Cells of each text. */
  translate(tableFile: string, texts: readonly string[]): Promise<readonly Line[]>;
  /** Text of each line of cells. */
  translateBack(tableFile: string, lines: readonly Line[]): Promise<readonly string[]>;
  /** Characters without a rule in the table. */
  findUnknown(tableFile: string, characters: readonly string[]): Promise<ReadonlySet<string>>;
};

/** Marker bit of liblouis: a cell among characters. */
export const DOTS_MARK = 0x8000;

/** Size of the output buffer relative to the input. Output is usually shorter, but some rules expand it. */
const OUTPUT_GROWTH = 3;
const OUTPUT_GROWTH_MAX = 48;
const OUTPUT_EXTRA = 256;

/** Retries with a larger output buffer until it suffices. */
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
