/** Text as it is printed, made ready for translation: any string of JavaScript becomes clean lines. */

const LONE_SURROGATE = /\p{Surrogate}/gu;
/** What stands for one letter together. Composing nothing else leaves signs alone that Unicode takes for others. */
const LETTER_IN_PARTS = /\P{M}\p{M}+|[\u1100-\u11ff]+/gu;
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
/** Engines use these for themselves. */
const END = "\u0000";
const ESCAPE = "\u001b";

/** The lines of a text. A line end at its very end adds none. */
export function linesOf(text: string): string[] {
  const lines = text
    .replace(LONE_SURROGATE, "\ufffd")
    .replace(LETTER_IN_PARTS, (parts) => parts.normalize("NFC"))
    .split(LINE_END)
    .map((line) => line.replaceAll("\t", " ").replaceAll(END, "").replaceAll(ESCAPE, ""));
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * Rules of some tables look back and ahead over any number of letters, or of characters that are neither letters nor
 * digits: in time that grows with the square of their number, and as deep on the stack. No sentence has such runs.
 */
const WORD_LENGTH_MAX = 500;
const SYMBOL_RUN_LENGTH_MAX = 80;
const LONG_WORD = new RegExp(`\\S{${WORD_LENGTH_MAX}}(?=\\S)`, "gu");
const LONG_SYMBOL_RUN = new RegExp(`[^\\p{L}\\p{N}]{${SYMBOL_RUN_LENGTH_MAX}}(?=[^\\p{L}\\p{N}])`, "gu");

function cutAfter(line: string, runs: RegExp): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { index, 0: run } of line.matchAll(runs)) {
    parts.push(line.slice(start, index + run.length));
    start = index + run.length;
  }
  parts.push(line.slice(start));
  return parts;
}

/** The parts of a line that are translated at once: the whole line, unless it holds something that is not language. */
export function partsOf(line: string): string[] {
  return cutAfter(line, LONG_WORD).flatMap((part) => cutAfter(part, LONG_SYMBOL_RUN));
}
