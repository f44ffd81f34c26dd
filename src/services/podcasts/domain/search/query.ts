/** What a person types: words, "phrases", -left out, begin*. */
import { stemOf, stemsIn } from "./stems.ts";
import { isUnspaced, wordsOf } from "./words.ts";

/** Words that follow each other, each in the spellings it may have in the index. */
export type Clause = {
  readonly words: readonly (readonly string[])[];
  /** The last word is only the beginning of one. */
  readonly isPrefix: boolean;
};
export type Query = {
  readonly wanted: readonly Clause[];
  readonly unwanted: readonly Clause[];
};

const CLAUSES_MAX = 24;
const PREFIX_LETTERS_MIN = 2;
/** A piece is a phrase in quotes or what stands between spaces, each with a minus before it or not. */
const PIECE = /(-?)(?:["“”]([^"“”]*)["“”]?|([^\s"“”]+))/gu;
/** They say little, and are in nearly every text: looked for only where nothing else is. */
export const FILLERS: ReadonlySet<string> = new Set(
  "a an and are as at be by for from how in is it of on or that the this to was what when where who why with".split(
    " ",
  ),
);

/** English words of which neither stem is the other's. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  [
    ["child", "children"],
    ["man", "men"],
    ["woman", "women"],
    ["person", "people"],
    ["mouse", "mice"],
    ["foot", "feet"],
    ["tooth", "teeth"],
    ["goose", "geese"],
    ["life", "lives"],
    ["wife", "wives"],
    ["knife", "knives"],
    ["leaf", "leaves"],
    ["wolf", "wolves"],
    ["half", "halves"],
    ["shelf", "shelves"],
    ["thief", "thieves"],
  ].flatMap(([one = "", many = ""]) => [
    [one, many],
    [many, one],
  ]),
);

/** `languages`: those whose stems may be in the index; the more there are, the more spellings a word may have. */
export function parseQuery(text: string, languages: readonly string[]): Query {
  const wanted: Clause[] = [];
  const unwanted: Clause[] = [];
  const fillers: Clause[] = [];
  for (const [, minus, phrase, word] of text.matchAll(PIECE)) {
    if (wanted.length + unwanted.length + fillers.length >= CLAUSES_MAX) break;
    const isPrefix = word?.endsWith("*") ?? false;
    const spelt = wordsOf(phrase ?? word ?? "").map((one) => one.text);
    if (spelt.length === 0) continue;
    // What a hyphen or a point holds together is looked for together, as are letters that are read by twos.
    const clause = clauseOf(spelt, languages, isPrefix);
    if (minus === "-") unwanted.push(clause);
    else if (phrase === undefined && spelt.length === 1 && FILLERS.has(spelt[0] ?? "")) fillers.push(clause);
    else wanted.push(clause);
  }
  return { wanted: wanted.length === 0 ? fillers : wanted, unwanted };
}

/** With the other number of a word whose stem does not tell; for words that stand alone. */
function formsOf(word: string, languages: readonly string[]): string[] {
  const other = languages.includes("English") ? IRREGULAR.get(word) : undefined;
  const stems = stemsIn(word, languages);
  return other === undefined ? stems : [...new Set([...stems, stemOf(other, "English")])];
}

function clauseOf(spelt: readonly string[], languages: readonly string[], isPrefix: boolean): Clause {
  const last = spelt.at(-1) ?? "";
  // The last letter of an unspaced run stands alone in the text's end only; elsewhere another follows it.
  if (isUnspaced(last))
    return spelt.length === 1
      ? { words: [[last]], isPrefix: true }
      : { words: spelt.slice(0, -1).map((one) => [one]), isPrefix: false };
  const asPrefix = isPrefix && last.length >= PREFIX_LETTERS_MIN;
  return {
    words: spelt.map((one, at) => {
      if (asPrefix && at === spelt.length - 1) return [one];
      return spelt.length === 1 ? formsOf(one, languages) : stemsIn(one, languages);
    }),
    isPrefix: asPrefix,
  };
}

/** Whether the clause stands at that place of words as the index has them. */
export const isClauseAt = (text: readonly string[], at: number, { words, isPrefix }: Clause): boolean =>
  words.every((choices, offset) => {
    const word = text[at + offset];
    if (word === undefined) return false;
    return isPrefix && offset === words.length - 1
      ? choices.some((choice) => word.startsWith(choice))
      : choices.includes(word);
  });
