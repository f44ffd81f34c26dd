/**
 * Braille as numbers. A cell is a byte whose bits are its dots (bit 0 is dot 1), as in Unicode's braille
 * patterns. A line is a row of cells. A page is a list of lines.
 */
export type Line = Uint8Array;
export type Page = readonly Line[];

export const BLANK = 0;
export const UNICODE_BRAILLE_FIRST = 0x2800;
const DOTS_7_AND_8 = 0b1100_0000;

export const isEightDot = (cell: number): boolean => (cell & DOTS_7_AND_8) !== 0;

/** Numbers of the raised dots, such as `[1, 2, 4]`. */
export function dotsOf(cell: number): number[] {
  return [1, 2, 3, 4, 5, 6, 7, 8].filter((dot) => cell & (1 << (dot - 1)));
}

/** Two hexadecimal digits, as in the names of cell pictures. */
export const codeOf = (cell: number): string => cell.toString(16).padStart(2, "0");
