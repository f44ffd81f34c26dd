/** Back-translation of Unified English Braille: preprocessing for cases that engines misread. */
import type { Line } from "./cells.ts";
import { asciiOf, readPage } from "./notation.ts";

export const UNIFIED_ENGLISH = /^en-ueb-/;

/** Terminator of capitals. One engine ignores it and continues in capitals. */
const CAPITALS_END = ",'";
/**
 * A passage in capitals. The other engine capitalizes only its first letter, so each word gets a capitals
 * indicator.
 */
const CAPITALS_PASSAGE = /,,,([^,]*(?:,(?!')[^,]*)*)(?:,'|$)/g;
const CAPITALS_WORD = ",,";
const OPENING = /^(?:8|"<|\.<|_<|_8)*/;

/**
 * The engine does not recognise a wordsign, such as x for "it", before a full stop, comma, semicolon or
 * bracket. A neutral cell is inserted after the word and removed from the result.
 */
const MARK = "\u28c0";
const WRITTEN_MARK = " \\78/";
const WORD = /[^ ]+/g;
/** Longer words are not wordsigns. */
const WORD_LENGTH_MAX = 24;
const WORD_AND_PUNCTUATION = /^(.{0,24}?)((?:[1234680']|">|\.>|_>){1,24})$/;
/** Ends with a cell that has a dot in the upper row. Punctuation has none. */
const ENDS_LIKE_A_WORD = /[^ 1234567890'"\-,;.@_]$/;
const ABBREVIATED = /[a-z]4[a-z]/;

/** A word without numbers that has a cell with a dot in the upper row. */
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

/** Parts that engines read correctly one by one. */
export function readablePartsOf(paragraph: Line): Line[] {
  const parts = asciiOf(paragraph)
    .replace(CAPITALS_PASSAGE, (_all, passage: string) => passage.replace(WORD, inCapitals))
    .split(CAPITALS_END)
    .map((part, index, all) => (index < all.length - 1 ? part + CAPITALS_END : part));
  return parts.map((part) => lineOf(part.replace(WORD, takePunctuationOff)));
}

export const withoutMarks = (text: string): string => text.replaceAll(WRITTEN_MARK, "");
