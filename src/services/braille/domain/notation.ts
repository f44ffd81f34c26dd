/**
 * Notations of cells: ASCII braille, dot numbers, Unicode, HTML entities and pictures. Includes the parsers.
 */
import { escapeHtml } from "#kernel/html";
import { codeOf, dotsOf, isEightDot, type Line, type Page, UNICODE_BRAILLE_FIRST } from "./cells.ts";

/** Notation of a response, by its public name. */
export type Form = "braille display" | "braille dots" | "braille html" | "braille images" | "braille unicode";

/**
 * North American ASCII braille: the character of each six-dot cell, ordered by cell. Letters are in lower
 * case.
 */
const ASCII_BRAILLE = " a1b'k2l@cif/msp\"e3h9o6r^djg>ntq,*5<-u8v.%[$+x!&;:4\\0z7(_?w]#y)=";
const CELL_OF_ASCII: ReadonlyMap<string, number> = new Map(
  [...ASCII_BRAILLE].flatMap((character, cell): [string, number][] => [
    [character, cell],
    [character.toUpperCase(), cell],
  ]),
);

const unicodeOf = (cell: number): string => String.fromCharCode(UNICODE_BRAILLE_FIRST + cell);

/** ASCII braille has only six-dot cells. Eight-dot cells are written in Unicode. */
const asciiCell = (cell: number): string => (isEightDot(cell) ? unicodeOf(cell) : ASCII_BRAILLE.charAt(cell));
export const asciiOf = (line: Line): string => Array.from(line, asciiCell).join("");

const dotsCell = (cell: number): string => (cell === 0 ? "none" : dotsOf(cell).join(""));
const htmlCell = (cell: number): string => `&#x28${codeOf(cell)};`;

function imageCell(cell: number, imageFolderUrl: string): string {
  const code = codeOf(cell);
  const words = `char 0x28${code} = &#x28${code};`;
  return `<img src='${escapeHtml(imageFolderUrl)}/${code}.gif' alt='${words}' title='${words}' class='img-braille-char'>`;
}

/** Returns the writer of one cell. The plain form is one string, other forms are lists of cells. */
export function cellWriterOf(form: Form, imageFolderUrl: string): (cell: number) => string {
  switch (form) {
    case "braille display":
      return asciiCell;
    case "braille dots":
      return dotsCell;
    case "braille html":
      return htmlCell;
    case "braille unicode":
      return unicodeOf;
    case "braille images":
      return (cell) => imageCell(cell, imageFolderUrl);
  }
}

/** The text contains something other than braille. */
export class NotBrailleError extends Error {}

const CELL_OF_ENTITY = /&#x28([0-9a-f]{2});/gi;
const IMAGE = /<img\b[^<>]*>/gi;
const CELL_OF_IMAGE = /\/([0-9a-f]{2})\.(?:gif|png|svg)\b/i;
const LINE_END = /\r\n|\r|\n/;
/** In a list of dots, CR and LF are separate cells. */
const LINE_END_IN_DOTS = /\r *\n|\r|\n/;

const unicodeOfCode = (_whole: string, code: string): string => unicodeOf(Number.parseInt(code, 16));
/** Other images are left unchanged, and are not cells. */
function unicodeOfImage(image: string): string {
  const [whole = "", code] = CELL_OF_IMAGE.exec(image) ?? [];
  return code === undefined ? image : unicodeOfCode(whole, code);
}

/**
 * Parses the written form with its cells joined (dots: separated by blanks). Unicode braille is accepted in
 * every form.
 */
export function readPage(text: string, form: Form): Page {
  const lines = text.split(form === "braille dots" ? LINE_END_IN_DOTS : LINE_END);
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.map((line) => (form === "braille dots" ? readDots(line) : readCells(line, form)));
}

function readCells(line: string, form: Form): Line {
  const plain =
    form === "braille html"
      ? line.replace(CELL_OF_ENTITY, unicodeOfCode)
      : form === "braille images"
        ? line.replace(IMAGE, unicodeOfImage)
        : line;
  return Uint8Array.from(plain, readCell);
}
function readCell(character: string): number {
  const cell = character.charCodeAt(0) - UNICODE_BRAILLE_FIRST;
  if (cell >= 0 && cell <= 0xff) return cell;
  const known = CELL_OF_ASCII.get(character);
  if (known === undefined) throw new NotBrailleError(`${JSON.stringify(character)} is not a braille cell`);
  return known;
}

function readDots(line: string): Line {
  const notes = line.split(/[\s,]+/).filter((note) => note !== "");
  return Uint8Array.from(notes, (note) => {
    if (note === "none" || note === "0") return 0;
    if (!/^[1-8]{1,8}$/.test(note)) {
      if (/^[\u2800-\u28ff]$/.test(note)) return note.charCodeAt(0) - UNICODE_BRAILLE_FIRST;
      throw new NotBrailleError(`${JSON.stringify(note.slice(0, 20))} does not name the dots of a cell`);
    }
    return [...note].reduce((cell, dot) => cell | (1 << (Number(dot) - 1)), 0);
  });
}
