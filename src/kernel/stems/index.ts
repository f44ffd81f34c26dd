/** Stemmers of the languages that have one: what is left of a word without its endings. */
import { createRequire } from "node:module";
import type { newStemmer as NewStemmer, Stemmer } from "snowball-stemmers";

/** English names of languages, in lower case. */
export const STEMMED_LANGUAGES: ReadonlySet<string> = new Set(
  "arabic armenian basque catalan czech danish dutch english finnish french german hungarian italian irish norwegian portuguese romanian russian spanish slovene swedish tamil turkish".split(
    " ",
  ),
);

/** A large module: it waits for the first word. */
let loaded: typeof NewStemmer | undefined;

/** For one of the languages above. */
export function makeStemmer(language: string): Stemmer {
  loaded ??= createRequire(import.meta.url)("snowball-stemmers").newStemmer as typeof NewStemmer;
  return loaded(language);
}
