/** Stems by language: what the index keeps of a word, so that other forms of it are found as well. */
import type { Stemmer } from "snowball-stemmers";
import { makeStemmer, STEMMED_LANGUAGES } from "#kernel/stems";
import { isUnspaced, spellingsOf } from "./words.ts";

/** Names of languages, in lower case, whose stemmer goes by another name. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["norwegian bokmal", "norwegian"],
  ["norwegian nynorsk", "norwegian"],
  ["slovenian", "slovene"],
]);
const STEMS_KEPT_MAX = 200_000;

/**
 * Words whose stems were found once: a stem costs fifty times as much as looking one up. Stems say which language made
 * them, because the stem of one language is a word of another: Swedish makes "new" of "news".
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

/** The stemmer for a language by its English name, or undefined where there is none for it. */
function findAlgorithm(language: string): string | undefined {
  const name = language.toLowerCase();
  const algorithm = OTHER_NAMES.get(name) ?? name;
  return STEMMED_LANGUAGES.has(algorithm) ? algorithm : undefined;
}

/** Whose stemmers may change how a word begins. */
const WITH_CHANGED_BEGINNINGS: ReadonlySet<string> = new Set(["arabic", "irish", "tamil", "turkish"]);
/** Whether words and their stems begin with the same letter. */
export const keepsBeginnings = (language: string): boolean =>
  !WITH_CHANGED_BEGINNINGS.has(findAlgorithm(language) ?? "");

const DIGIT = /\d/;
const unchanged = (word: string): string => word;

/** What makes stems of a language's words; the words themselves where the language has no stemmer. */
export function stemmerOf(language: string): (word: string) => string {
  const algorithm = findAlgorithm(language);
  if (algorithm === undefined) return unchanged;
  const stems = stemsByAlgorithm.get(algorithm) ?? new Stems(algorithm);
  stemsByAlgorithm.set(algorithm, stems);
  return (word) => stems.of(word);
}
export const stemOf = (word: string, language: string): string => stemmerOf(language)(word);

/** What a word may be kept as in an index of several languages, each spelling once. */
export function stemsIn(word: string, languages: readonly string[]): string[] {
  return [...new Set(languages.length === 0 ? [word] : languages.map((one) => stemOf(word, one)))];
}

/** The text as the index keeps it: stems in their order. */
export function stemmedWordsOf(text: string, language: string, wordsMax: number): string[] {
  const stem = stemmerOf(language);
  return spellingsOf(text).slice(0, wordsMax).map(stem);
}
