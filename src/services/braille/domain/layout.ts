/** Page layout: each line of text is an indented paragraph, wrapped to the width. */
import { BLANK, type Line, type Page } from "./cells.ts";

export type Layout = {
  /** Cells in a line. 0: no wrapping. */
  readonly widthCells: number;
  /** Blank cells before a paragraph. */
  readonly indentCells: number;
};

/** Consecutive blanks count as one. */
function wordsOf(line: Line): Line[] {
  const words: Line[] = [];
  let start = 0;
  while (start < line.length) {
    const blank = line.indexOf(BLANK, start);
    const end = blank < 0 ? line.length : blank;
    if (end > start) words.push(line.subarray(start, end));
    start = end + 1;
  }
  return words;
}

function joinWords(words: readonly Line[]): Line {
  const length = words.reduce((sum, word) => sum + word.length + 1, 0);
  const line = new Uint8Array(Math.max(0, length - 1));
  let at = 0;
  for (const word of words) {
    line.set(word, at);
    at += word.length + 1;
  }
  return line;
}

function layParagraph(paragraph: Line, { widthCells, indentCells }: Layout): Line[] {
  const width = widthCells === 0 ? Number.POSITIVE_INFINITY : widthCells;
  const words = wordsOf(paragraph);
  const lines: Line[] = [];
  let line: number[] = words.length === 0 ? [] : new Array(Math.min(indentCells, width - 1)).fill(BLANK);
  let hasWord = false;
  const endLine = () => {
    lines.push(Uint8Array.from(line));
    line = [];
    hasWord = false;
  };
  for (const word of words) {
    if (hasWord && line.length + 1 + word.length > width) endLine();
    if (hasWord) line.push(BLANK);
    for (const cell of word) {
      // Only a word longer than the line reaches this point with a full line.
      if (line.length >= width) endLine();
      line.push(cell);
    }
    hasWord = true;
  }
  endLine();
  return lines;
}

export function layOut(paragraphs: Page, layout: Layout): Page {
  return paragraphs.flatMap((paragraph) => layParagraph(paragraph, layout));
}

/** Paragraphs of a page: the inverse of `layOut`. Without an indent, only line ends separate paragraphs. */
export function paragraphsOf(page: Page, { indentCells }: Layout): Page {
  const paragraphs: Line[][] = [];
  for (const line of page) {
    const words = wordsOf(line);
    const last = paragraphs.at(-1);
    const goesOn = indentCells > 0 && words.length > 0 && line[0] !== BLANK;
    if (goesOn && last !== undefined && last.length > 0) for (const word of words) last.push(word);
    else paragraphs.push(words);
  }
  return paragraphs.map(joinWords);
}
