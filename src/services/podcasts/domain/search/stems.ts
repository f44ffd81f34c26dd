/** Stemming by language. The index stores stems, so that a search finds other forms of a word. */
import type { Stemmer } from "snowball-stemmers";
import { makeStemmer, STEMMED_LANGUAGES } from "#kernel/stems";
import { isUnspaced, spellingsOf } from "./words.ts";

/** Stemmer names for languages whose stemmer has another name. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["norwegian bokmal", "norwegian"],
  ["norwegian nynorsk", "norwegian"],
  ["slovenian", "slovene"],
]);
const STEMS_KEPT_MAX = 200_000;

/**
 * Cache of stems: stemming is fifty times as slow as a lookup. Non-English stems carry a language suffix,
 * because a stem can be a word of another language. For example, Swedish stems "news" to "new".
 */
class Stems {
  readonly #stemmer: Stemmer;
  readonly #mark: string;
  #known = new Map<string, string>();

  constructor(algorithm: string) {
    this.#stemmer = makeStemmer(algorithm);
    this.#mark = algorithm === "english" ? "" : `_${algorithm.slice(0, 3)}`;
  }
  of(word: string): string {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    if (this.#known.size >= STEMS_KEPT_MAX) this.#known = new Map();
    const isStemmed = !DIGIT.test(word) && !isUnspaced(word);
    const stem = isStemmed ? (this.#stemmer.stem(word) || word) + this.#mark : word;
    this.#known.set(word, stem);
    return stem;
  }
}

const stemsByAlgorithm = new Map<string, Stems>();

/** Stemmer for a language by its English name; undefined if there is none. */
function findAlgorithm(language: string): string | undefined {
  const name = language.toLowerCase();
  const algorithm = OTHER_NAMES.get(name) ?? name;
  return STEMMED_LANGUAGES.has(algorithm) ? algorithm : undefined;
}

/** Languages whose stemmers can change the first letter of a word. */
const WITH_CHANGED_BEGINNINGS: ReadonlySet<string> = new Set(["arabic", "irish", "tamil", "turkish"]);
/** Whether words and their stems have the same first letter. */
export const keepsBeginnings = (language: string): boolean =>
  !WITH_CHANGED_BEGINNINGS.has(findAlgorithm(language) ?? "");

const DIGIT = /\d/;
const unchanged = (word: string): string => word;

/** The stemming function of a language. Without a stemmer, it returns words unchanged. */
export function stemmerOf(language: string): (word: string) => string {
  const algorithm = findAlgorithm(language);
  if (algorithm === undefined) return unchanged;
  const stems = stemsByAlgorithm.get(algorithm) ?? new Stems(algorithm);
  stemsByAlgorithm.set(algorithm, stems);
  return (word) => stems.of(word);
}
export const stemOf = (word: string, language: string): string => stemmerOf(language)(word);

/** Possible index forms of a word in these languages, without duplicates. */
export function stemsIn(word: string, languages: readonly string[]): string[] {
  return [...new Set(languages.length === 0 ? [word] : languages.map((one) => stemOf(word, one)))];
}

/** Stems of the text in order, as indexed. */
export function stemmedWordsOf(text: string, language: string, wordsMax: number): string[] {
  const stem = stemmerOf(language);
  return spellingsOf(text).slice(0, wordsMax).map(stem);
}
