/**
 * Latin letters with diacritics in Unified English Braille: the cells of the mark precede those of the
 * letter.
 */
import { dotsOf } from "./cells.ts";
import { readPage } from "./notation.ts";
import { hexadecimal, signRules } from "./unified-english-signs.ts";

/** Marks of Unified English Braille, by combining character. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ["\u0300", "45-16"],
  ["\u0301", "45-34"],
  ["\u0302", "45-146"],
  ["\u0303", "45-12456"],
  ["\u0304", "4-36"],
  ["\u0306", "4-346"],
  ["\u0308", "45-25"],
  ["\u030a", "45-1246"],
  ["\u030c", "45-346"],
  ["\u0327", "45-12346"],
]);
const HORIZONTAL_STROKE = "4-25";
const SLANTED_STROKE = "4-16";
/** Unicode does not decompose these letters. */
const STRUCK_LETTERS: ReadonlyMap<string, readonly [mark: string, letter: string]> = new Map([
  ["đ", [HORIZONTAL_STROKE, "d"]],
  ["ħ", [HORIZONTAL_STROKE, "h"]],
  ["ŧ", [HORIZONTAL_STROKE, "t"]],
  ["ł", [SLANTED_STROKE, "l"]],
  ["ø", [SLANTED_STROKE, "o"]],
]);
/** Unicode ranges of Latin letters with diacritics: first and last code point. */
const RANGES = [
  [0xc0, 0x24f],
  [0x1e00, 0x1eff],
] as const;

const dotsOfLetter = (letter: string): string =>
  dotsOf(readPage(letter, "braille display")[0]?.[0] ?? 0).join("");

/** Undefined unless the character is a lower-case letter whose marks all have signs. */
export function findMarkedDots(letter: string): string | undefined {
  const struck = STRUCK_LETTERS.get(letter);
  const [base, ...marks] = struck ? [struck[1]] : letter.normalize("NFD");
  const signs = struck ? [struck[0]] : marks.map((mark) => MARKS.get(mark));
  if (base === undefined || !/^[a-z]$/.test(base) || signs.length === 0 || signs.includes(undefined))
    return undefined;
  return [...signs, dotsOfLetter(base)].join("-");
}

/** Rules for letters that the table does not define. They are appended to the table. */
export function markedLetterRules(tableText: string): string {
  const told = new Set(tableText.toLowerCase().match(/\\x[0-9a-f]{4}/g));
  const rules: string[] = [];
  for (const [first, last] of RANGES)
    for (let code = first; code <= last; code += 1) {
      const letter = String.fromCodePoint(code);
      const dots = told.has(hexadecimal(letter)) ? undefined : findMarkedDots(letter);
      if (dots === undefined) continue;
      const capital = letter.toUpperCase();
      const hasCapital = capital !== letter && capital.length === 1;
      rules.push(
        hasCapital
          ? `uplow ${hexadecimal(capital)}${hexadecimal(letter)} ${dots}`
          : `lowercase ${hexadecimal(letter)} ${dots}`,
      );
    }
  return `${rules.join("\n")}\n${signRules(dotsOfLetter)}`;
}
