/** Reading Unified English Braille: where engines need help to read what they write. */
import type { Line } from "./cells.ts";
import { asciiOf, readPage } from "./notation.ts";

export const UNIFIED_ENGLISH = /^en-ueb-/;

/** The end of capitals. One engine would read on in capitals. */
const CAPITALS_END = ",'";
/** A passage in capitals. The other engine would read only its first letter as a capital, so each word is told to be in capitals. */
const CAPITALS_PASSAGE = /,,,([^,]*(?:,(?!')[^,]*)*)(?:,'|$)/g;
const CAPITALS_WORD = ",,";
const OPENING = /^(?:8|"<|\.<|_<|_8)*/;

/**
 * A sign for a whole word, such as x for "it", is not known to the engine when a full stop, a comma, a semicolon or a
 * bracket follows. So the word is taken off it, with a cell between that means nothing and is taken out again.
 */
const MARK = "\u28c0";
const WRITTEN_MARK = " \\78/";
const WORD = /[^ ]+/g;
/** Longer words are not signs for words. */
const WORD_LENGTH_MAX = 24;
const WORD_AND_PUNCTUATION = /^(.{0,24}?)((?:[1234680']|">|\.>|_>){1,24})$/;
/** Ends with a cell that has a dot in its upper row, which punctuation has not. */
const ENDS_LIKE_A_WORD = /[^ 1234567890'"\-,;.@_]$/;
const ABBREVIATED = /[a-z]4[a-z]/;

/** A word with a cell that has a dot in its upper row, and no number. */
const IS_OF_LETTERS = /^[^#]*[^ 1234567890'"\-,;.@_#]/;
function inCapitals(word: string): string {
  const [opening = ""] = OPENING.exec(word) ?? [];
  const rest = word.slice(opening.length);
  return IS_OF_LETTERS.test(rest) ? opening + CAPITALS_WORD + rest : word;
}

function takePunctuationOff(word: string): string {
  if (word.length > WORD_LENGTH_MAX) return word;
  const [, letters = "", punctuation = ""] = WORD_AND_PUNCTUATION.exec(word) ?? [];
  return ENDS_LIKE_A_WORD.test(letters) && !ABBREVIATED.test(letters)
    ? `${letters} ${MARK}${punctuation}`
    : word;
}

const lineOf = (braille: string): Line => readPage(braille, "braille display")[0] ?? new Uint8Array(0);

/** The parts that engines read rightly one by one. */
export function readablePartsOf(paragraph: Line): Line[] {
  const parts = asciiOf(paragraph)
    .replace(CAPITALS_PASSAGE, (_all, passage: string) => passage.replace(WORD, inCapitals))
    .split(CAPITALS_END)
    .map((part, index, all) => (index < all.length - 1 ? part + CAPITALS_END : part));
  return parts.map((part) => lineOf(part.replace(WORD, takePunctuationOff)));
}

export const withoutMarks = (text: string): string => text.replaceAll(WRITTEN_MARK, "");
