/** Translates a search into an FTS5 or tsquery expression. */
import { ANYTHING, type Kind } from "./facets.ts";
import type { Clause, Query } from "./query.ts";

/** Fields of a document by weight, with the names that `only_in` uses. */
export const FIELDS = ["title", "author", "description", "audio"] as const;
export type Field = (typeof FIELDS)[number];

export type Search = {
  readonly kind: Kind;
  readonly query: Query;
  /** Searched fields; all if empty. */
  readonly fields: readonly Field[];
  /** Each group must match at least one of its facets. */
  readonly facets: readonly (readonly string[])[];
  readonly withoutFacets: readonly string[];
};

const quoted = (text: string): string => `"${text}"`;
/** Limits the combinations of spellings of a phrase. Most words have only one. */
const SPELLINGS_MAX = 16;
function spellingsOf({ words }: Clause): string[][] {
  let spellings: string[][] = [[]];
  for (const choices of words) {
    spellings = spellings.flatMap((begun) => choices.map((one) => [...begun, one]));
    if (spellings.length > SPELLINGS_MAX) spellings = spellings.slice(0, SPELLINGS_MAX);
  }
  return spellings;
}

/** FTS5: each word has account and kind as a prefix, so that each pair has its own range in the index. */
export function fts5Expression(account: string, search: Search, fields = search.fields): string {
  const prefix = account + search.kind;
  const within = fields.length === 0 ? "" : `{${fields.join(" ")}} : `;
  const clause = (one: Clause): string => {
    const any = spellingsOf(one).map(
      (words) => quoted(words.map((word) => prefix + word).join(" ")) + (one.isPrefix ? "*" : ""),
    );
    return any.length === 1 ? `${within}${any[0]}` : `${within}(${any.join(" OR ")})`;
  };
  const group = (facets: readonly string[]): string =>
    `(${facets.map((facet) => quoted(prefix + facet)).join(" OR ")})`;
  const all = [...search.query.wanted.map(clause), ...search.facets.map(group)];
  if (all.length === 0) all.push(quoted(prefix + ANYTHING));
  const none = [
    ...search.query.unwanted.map(clause),
    ...search.withoutFacets.map((facet) => quoted(prefix + facet)),
  ];
  const positive = all.join(" AND ");
  return none.length === 0 ? positive : `(${positive}) NOT (${none.join(" OR ")})`;
}

const WEIGHTS: Readonly<Record<Field, string>> = { title: "A", author: "B", description: "C", audio: "D" };

/** Every document of this account and kind has this lexeme in PostgreSQL. */
export const ownerLexeme = (account: string, kind: Kind): string => `_${kind}${account}`;

/** tsquery: fields are weights. Account and kind are one lexeme, and so is each filter. */
export function tsqueryExpression(account: string, search: Search, fields = search.fields): string {
  const weights = fields.map((field) => WEIGHTS[field]).join("");
  const clause = (one: Clause): string => {
    const any = spellingsOf(one).map((words) =>
      words
        .map((word, at) => {
          const marks = (one.isPrefix && at === words.length - 1 ? "*" : "") + weights;
          return `'${word}'${marks === "" ? "" : `:${marks}`}`;
        })
        .join(" <-> "),
    );
    return `(${any.map((spelling) => `(${spelling})`).join(" | ")})`;
  };
  const group = (facets: readonly string[]): string => `(${facets.map((facet) => `'${facet}'`).join(" | ")})`;
  const parts = [
    `'${ownerLexeme(account, search.kind)}'`,
    ...search.query.wanted.map(clause),
    ...search.facets.map(group),
    ...search.query.unwanted.map((one) => `!${clause(one)}`),
    ...search.withoutFacets.map((facet) => `!'${facet}'`),
  ];
  return parts.join(" & ");
}
