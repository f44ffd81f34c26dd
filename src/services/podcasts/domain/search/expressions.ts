/** One search, said in the words of either full-text index. */
import { ANYTHING, type Kind } from "./facets.ts";
import type { Clause, Query } from "./query.ts";

/** The fields of a document, in the order of their weight, as `only_in` names them. */
export const FIELDS = ["title", "author", "description", "audio"] as const;
export type Field = (typeof FIELDS)[number];

export type Search = {
  readonly kind: Kind;
  readonly query: Query;
  /** Fields that are looked in; all where there are none. */
  readonly fields: readonly Field[];
  /** Of each group, one must be there. */
  readonly facets: readonly (readonly string[])[];
  readonly withoutFacets: readonly string[];
};

const quoted = (text: string): string => `"${text}"`;
/** Each way to spell words that follow each other; few, because most words have one spelling. */
const SPELLINGS_MAX = 16;
function spellingsOf({ words }: Clause): string[][] {
  let spellings: string[][] = [[]];
  for (const choices of words) {
    spellings = spellings.flatMap((begun) => choices.map((one) => [...begun, one]));
    if (spellings.length > SPELLINGS_MAX) spellings = spellings.slice(0, SPELLINGS_MAX);
  }
  return spellings;
}

/** For FTS5: every word begins with whose and what kind it is, so that each has a part of the index to itself. */
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

/** What every document of an account and kind has in PostgreSQL's index. */
export const ownerLexeme = (account: string, kind: Kind): string => `_${kind}${account}`;

/** For tsquery: fields are weights; whose it is stands for itself, as filters do. */
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
