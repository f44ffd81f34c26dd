/** Stemmers of the languages that have one: what is left of a word without its endings. */
import type { newStemmer, Stemmer } from "snowball-stemmers";
import { packageOnUse } from "../packages/index.ts";

export { PLAIN_LETTERS } from "./letters.ts";

/** English names of languages, in lower case. */
export const STEMMED_LANGUAGES: ReadonlySet<string> = new Set(
  "arabic armenian basque catalan czech danish dutch english finnish french german hungarian italian irish norwegian portuguese romanian russian spanish slovene swedish tamil turkish".split(
    " ",
  ),
);

const library = packageOnUse<{ readonly newStemmer: typeof newStemmer }>("snowball-stemmers");

/** For one of the languages above. */
export const makeStemmer = (language: string): Stemmer => library().newStemmer(language);
