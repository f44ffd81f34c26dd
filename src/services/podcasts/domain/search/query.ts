/** Parses a query: words, "phrases", -excluded, prefix*. */
import { stemOf, stemsIn } from "./stems.ts";
import { isUnspaced, wordsOf } from "./words.ts";

/** Consecutive words, each with its possible spellings in the index. */
export type Clause = {
  readonly words: readonly (readonly string[])[];
  /** The last word is a prefix. */
  readonly isPrefix: boolean;
};
export type Query = {
  readonly wanted: readonly Clause[];
  readonly unwanted: readonly Clause[];
};

const CLAUSES_MAX = 24;
const PREFIX_LETTERS_MIN = 2;
/** A phrase in quotes or a word, with an optional minus. */
const PIECE = /(-?)(?:["“”]([^"“”]*)["“”]?|([^\s"“”]+))/gu;
/** Stop words: they are searched only if the query has no other word. */
export const FILLERS: ReadonlySet<string> = new Set(
  "a an and are as at be by for from how in is it of on or that the this to was what when where who why with".split(
    " ",
  ),
);

/** Irregular plurals, whose stem differs from the stem of the singular. */
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

/** `languages`: languages whose stems the index can contain. Each adds possible spellings. */
export function parseQuery(text: string, languages: readonly string[]): Query {
  const wanted: Clause[] = [];
  const unwanted: Clause[] = [];
  const fillers: Clause[] = [];
  for (const [, minus, phrase, word] of text.matchAll(PIECE)) {
    if (wanted.length + unwanted.length + fillers.length >= CLAUSES_MAX) break;
    const isPrefix = word?.endsWith("*") ?? false;
    const spelt = wordsOf(phrase ?? word ?? "").map((one) => one.text);
    if (spelt.length === 0) continue;
    // Words joined by a hyphen or a point form a phrase. So do the letter pairs of unspaced scripts.
    const clause = clauseOf(spelt, languages, isPrefix);
    if (minus === "-") unwanted.push(clause);
    else if (phrase === undefined && spelt.length === 1 && FILLERS.has(spelt[0] ?? "")) fillers.push(clause);
    else wanted.push(clause);
  }
  return { wanted: wanted.length === 0 ? fillers : wanted, unwanted };
}

/** Adds the irregular plural or singular. Only for single words, not within phrases. */
function formsOf(word: string, languages: readonly string[]): string[] {
  const other = languages.includes("English") ? IRREGULAR.get(word) : undefined;
  const stems = stemsIn(word, languages);
  return other === undefined ? stems : [...new Set([...stems, stemOf(other, "English")])];
}

function clauseOf(spelt: readonly string[], languages: readonly string[], isPrefix: boolean): Clause {
  const last = spelt.at(-1) ?? "";
  // The last letter of an unspaced run is indexed alone only at the end of a text. Elsewhere it is in a
  // pair.
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

/** Whether the clause matches the indexed words at this position. */
export const isClauseAt = (text: readonly string[], at: number, { words, isPrefix }: Clause): boolean =>
  words.every((choices, offset) => {
    const word = text[at + offset];
    if (word === undefined) return false;
    return isPrefix && offset === words.length - 1
      ? choices.some((choice) => word.startsWith(choice))
      : choices.includes(word);
  });
