/** Suffixes of a title from each of its words, for prefix search on any word. */
import { FILLERS } from "./query.ts";
import { stemOf } from "./stems.ts";
import { fold, isUnspaced, spellingsOf } from "./words.ts";

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
const APOSTROPHES = /['’]/g;
const PHRASES_MAX = 12;
const LETTERS_MAX = 80;

/** Normalized for comparison: folded, single spaces. */
export const phraseOf = (text: string): string =>
  (fold(text.replace(APOSTROPHES, "")).match(RUN) ?? []).join(" ").slice(0, LETTERS_MAX);

export function phrasesOf(title: string): string[] {
  const whole = phraseOf(title);
  const phrases = new Set<string>([whole]);
  for (let at = 1; at < whole.length && phrases.size < PHRASES_MAX; at += 1)
    if (whole[at - 1] === " " || isUnspaced(whole[at] ?? "")) phrases.add(whole.slice(at));
  phrases.delete("");
  return [...phrases];
}

const LETTERS_MIN = 3;
const NUMBER = /\d/;
/** Distinct words for the spelling dictionary. */
export const spellingWordsOf = (...texts: readonly string[]): string[] => [
  ...new Set(
    texts.flatMap((text) =>
      spellingsOf(text).filter(
        (word) => word.length >= LETTERS_MIN && !NUMBER.test(word) && !isUnspaced(word),
      ),
    ),
  ),
];

const TERMS_MAX = 48;
const TITLE_TIMES = 3;
const SATURATION = 1.2;
const WEIGHT_MAX = 100;

/**
 * The characteristic words of a text with their weights. The weight grows less than linearly with the
 * count.
 */
export function termWeightsOf(
  title: string,
  text: string,
  language: string,
): { readonly term: string; readonly weight: number }[] {
  const counts = new Map<string, number>();
  const add = (from: string, times: number) => {
    for (const word of spellingsOf(from)) {
      if (FILLERS.has(word) || NUMBER.test(word) || (word.length < LETTERS_MIN && !isUnspaced(word)))
        continue;
      const term = stemOf(word, language);
      counts.set(term, (counts.get(term) ?? 0) + times);
    }
  };
  add(title, TITLE_TIMES);
  add(text, 1);
  return [...counts]
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, TERMS_MAX)
    .map(([term, count]) => ({ term, weight: Math.round((WEIGHT_MAX * count) / (count + SATURATION)) }));
}
