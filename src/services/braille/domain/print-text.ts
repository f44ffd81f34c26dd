/** Prepares print text for translation: converts any JavaScript string to clean lines. */

const LONE_SURROGATE = /\p{Surrogate}/gu;
/**
 * Sequences that form one letter. Only these are composed, because normalizing other signs would replace
 * some of them.
 */
const LETTER_IN_PARTS = /\P{M}\p{M}+|[\u1100-\u11ff]+/gu;
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
/** Engines reserve these characters. */
const END = "\u0000";
const ESCAPE = "\u001b";

/** Lines of a text. A final line end adds no line. */
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
 * Some tables match runs of letters or symbols of any length. Their time grows with the square of the
 * length, and the stack depth grows too. No sentence has such long runs.
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

/** Parts of a line that are translated together: the whole line, unless it has an overlong run. */
export function partsOf(line: string): string[] {
  return cutAfter(line, LONG_WORD).flatMap((part) => cutAfter(part, LONG_SYMBOL_RUN));
}
