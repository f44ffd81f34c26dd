/** Tokenizer: what a word is, how the index stores it, and what a query searches for. */
import { PLAIN_LETTERS } from "#kernel/stems";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;
const APOSTROPHES = /['’]/g;
const MARKS = /\p{M}/gu;
const SPECIAL = /[ßøđðłæœþı]/g;
/** Scripts without spaces: each letter is a word, and consecutive letters are searched as a phrase. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const WORD_LETTERS_MAX = 40;
const QUERY_PHRASES_MAX = 20;

const BEYOND_ASCII = /[^\0-\x7f]/;
/** Lower case, compatibility forms normalized, diacritics removed. */
export const fold = (text: string): string =>
  BEYOND_ASCII.test(text)
    ? text
        .normalize("NFKD")
        .replace(MARKS, "")
        .toLowerCase()
        .replace(SPECIAL, (letter) => PLAIN_LETTERS[letter] ?? letter)
    : text.toLowerCase();

const shortened = (word: string): string =>
  word.length <= WORD_LETTERS_MAX ? word : [...word].slice(0, WORD_LETTERS_MAX).join("");

/** Splits a run that contains letters of such a script. */
function mixedRunsOf(folded: string): string[][] {
  const runs: string[][] = [];
  let word = "";
  let letters: string[] = [];
  const endWord = () => {
    if (word !== "") runs.push([shortened(word)]);
    word = "";
  };
  const endLetters = () => {
    if (letters.length > 0) runs.push(letters);
    letters = [];
  };
  for (const letter of folded) {
    if (UNSPACED.test(letter)) {
      endWord();
      letters.push(letter);
    } else {
      endLetters();
      word += letter;
    }
  }
  endWord();
  endLetters();
  return runs;
}
const PLAIN_WORD = /[a-z0-9][a-z0-9']*/g;
const plainRunsOf = (text: string): string[][] =>
  (text.toLowerCase().match(PLAIN_WORD) ?? []).map((word) => [shortened(word.replaceAll("'", ""))]);
/** One entry for each run of letters: a word, or letters of a script without spaces. */
function runsOf(text: string): string[][] {
  if (!BEYOND_ASCII.test(text)) return plainRunsOf(text);
  const runs: string[][] = [];
  for (const raw of text.match(WORD) ?? []) {
    const folded = fold(raw.replace(APOSTROPHES, ""));
    if (UNSPACED.test(folded)) runs.push(...mixedRunsOf(folded));
    else if (folded !== "") runs.push([shortened(folded)]);
  }
  return runs;
}

export const wordsOf = (text: string): string[] => runsOf(text).flat();
/** Every phrase must match. Its last word is a prefix. */
export const phrasesOf = (query: string): string[][] => runsOf(query).slice(0, QUERY_PHRASES_MAX);
