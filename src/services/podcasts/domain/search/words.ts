/** Splits text into words and normalizes them for the index. */
import { PLAIN_LETTERS } from "#kernel/stems";

export type Word = {
  /** Normalized: lower case, without accents. */
  readonly text: string;
  /** Offsets in the source text. */
  readonly start: number;
  readonly end: number;
};

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;
const POSSESSIVE = /['’]s$/;
const APOSTROPHES = /['’]/g;
const PLAIN = /^[a-z0-9]+$/;
const ASCII = /^[\x20-\x7e]+$/;
/** ASCII text without apostrophes, `#` and `+`: needs no normalization except lower case. */
const PLAIN_TEXT = /^[\x20-\x22\x24-\x26\x28-\x2a\x2c-\x7e]*$/;
const PLAIN_WORD = /[a-z0-9]+/g;
/** Latin and Greek letters that decompose into a letter and an accent. Cyrillic letters keep their marks. */
const ACCENTED = /[À-ɏͰ-ϿḀ-ỿἀ-῿]/g;
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0652]/g;
const LETTERS: Readonly<Record<string, string>> = { ...PLAIN_LETTERS, ё: "е" };
const SPECIAL = /[ßøđðłæœþıё]/g;
/**
 * Scripts without spaces between words, or with attached particles. Their text is indexed as letter pairs.
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const WORD_LETTERS_MAX = 40;
/** Names that would lose their meaning without the signs. */
const SIGNED: ReadonlyMap<string, string> = new Map([
  ["c++", "cplusplus"],
  ["c#", "csharp"],
  ["f#", "fsharp"],
]);

const baseOf = (letter: string): string => letter.normalize("NFD").replace(MARKS, "");

/** Lower case, compatibility forms unified, Latin and Greek accents removed. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower) || ASCII.test(lower)) return lower;
  return lower
    .normalize("NFKC")
    .replace(ACCENTED, baseOf)
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .replace(MARKS, "")
    .toLowerCase();
}

function spellingOf(raw: string): string {
  const folded = fold(raw.includes("'") || raw.includes("’") ? raw.replace(APOSTROPHES, "") : raw);
  return folded.length <= WORD_LETTERS_MAX ? folded : [...folded].slice(0, WORD_LETTERS_MAX).join("");
}

/** Whether the script of the word does not separate words by spaces. */
export const isUnspaced = (word: string): boolean => UNSPACED.test(word);

/** The words of a text in order, with offsets. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    let end = start + match[0].length;
    const signed = end - start === 1 ? signedAt(text, start) : undefined;
    if (signed) {
      end = start + signed.length;
      words.push({ text: SIGNED.get(signed) ?? signed, start, end });
    } else if (!ASCII.test(match[0]) && isUnspaced(match[0])) addUnspacedWords(words, match[0], start);
    else {
      const word = match[0].replace(POSSESSIVE, "");
      const spelt = spellingOf(word);
      if (spelt !== "") words.push({ text: spelt, start, end: start + word.length });
    }
  }
  return words;
}

/** The words without offsets, which is faster for ASCII text. */
export function spellingsOf(text: string): string[] {
  if (!PLAIN_TEXT.test(text)) return wordsOf(text).map((word) => word.text);
  const words = text.toLowerCase().match(PLAIN_WORD) ?? [];
  return words.map((word) => (word.length <= WORD_LETTERS_MAX ? word : word.slice(0, WORD_LETTERS_MAX)));
}

function signedAt(text: string, start: number): string | undefined {
  for (const length of [3, 2]) {
    const found = text.slice(start, start + length).toLowerCase();
    if (SIGNED.has(found)) return found;
  }
  return undefined;
}

/**
 * Adds all pairs of adjacent letters, and the last letter alone, so that a prefix search finds a single letter.
 */
function addUnspacedWords(words: Word[], run: string, start: number): void {
  let spaced = "";
  let spacedFrom = 0;
  let before: { letter: string; at: number } | undefined;
  let at = 0;
  const endSpaced = () => {
    const spelt = spellingOf(spaced);
    if (spelt !== "") words.push({ text: spelt, start: start + spacedFrom, end: start + at });
    spaced = "";
  };
  const endPair = () => {
    if (before) words.push({ text: fold(before.letter), start: start + before.at, end: start + at });
    before = undefined;
  };
  for (const letter of run) {
    if (isUnspaced(letter)) {
      if (spaced !== "") endSpaced();
      if (before)
        words.push({
          text: fold(before.letter + letter),
          start: start + before.at,
          end: start + at + letter.length,
        });
      before = { letter, at };
    } else {
      endPair();
      if (spaced === "") spacedFrom = at;
      spaced += letter;
    }
    at += letter.length;
  }
  if (spaced !== "") endSpaced();
  endPair();
}
