/**
 * An utterance as the finders and learners see it: its tokens, and their words normalised by the version's
 * settings.
 */
import { rootOf } from "./roots.ts";
import { type Token, tokenize } from "./tokenize.ts";

/** How words are normalised. Lists, phrase lists and patterns use the same rules. */
export type TextRules = {
  readonly culture: string;
  readonly withoutDiacritics: boolean;
  readonly withoutPunctuation: boolean;
  /** Words of one root are one word. */
  readonly rootsOnly: boolean;
};

export type Read = {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** One for each token. */
  readonly words: readonly string[];
};

/**
 * Diacritics of Latin, Greek and Cyrillic, and Arabic vowel marks. In other scripts such marks make a
 * different letter.
 */
const DIACRITICS = /[\u0300-\u036f\u064b-\u0652\u0670]+/g;
const PUNCTUATION = /^[\p{P}\p{S}]$/u;

export const isPunctuation = (word: string): boolean => PUNCTUATION.test(word);

export function wordOf(written: string, rules: TextRules): string {
  const lowered = written.toLowerCase();
  const rooted = rules.rootsOnly ? rootOf(lowered, rules.culture) : lowered;
  return rules.withoutDiacritics ? rooted.normalize("NFD").replace(DIACRITICS, "").normalize("NFC") : rooted;
}

/** If punctuation is ignored, its tokens are left out, unless there are no others. */
export function readUtterance(text: string, rules: TextRules): Read {
  const all = tokenize(text, rules.culture);
  const rest = rules.withoutPunctuation
    ? all.filter(({ start, end }) => !isPunctuation(text.slice(start, end)))
    : all;
  const tokens = rest.length > 0 ? rest : all;
  return { text, tokens, words: tokens.map(({ start, end }) => wordOf(text.slice(start, end), rules)) };
}
