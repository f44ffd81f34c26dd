/**
 * Where nothing has all the words, what has the most telling of them. The rarest word that is there comes first, and others
 * join it from the rarer to the more common, each where something has it besides those. Phrases are never left out. Two
 * questions to the index a word.
 */
import type { Context } from "#kernel/operation";
import type { Clause, Query } from "../domain/search/query.ts";
import { findPlaces } from "../store/search.ts";
import type { Tables } from "../tables.ts";
import { type Page, runSearch, type Wanted } from "./engine.ts";

type Db = Context<Tables>["db"];
export type FewerWords = { readonly used: number; readonly of: number };
export type Searched = { readonly page: Page; readonly query: Query; readonly fewer?: FewerWords };

/** Beyond it a word is common, however common. */
const COUNTED_MAX = 500;

const asking = (wanted: Wanted, words: readonly Clause[]): Wanted => {
  const { search } = wanted.query;
  return {
    ...wanted,
    query: { ...wanted.query, search: { ...search, query: { ...search.query, wanted: words } } },
  };
};
async function tellingWords(db: Db, account: string, wanted: Wanted): Promise<readonly Clause[]> {
  const found = async (words: readonly Clause[], limit: number): Promise<number> =>
    (await findPlaces(db, account, asking(wanted, words).query, { limit })).length;
  const all = wanted.query.search.query.wanted;
  // Words that were put together are insisted on.
  let words: readonly Clause[] = all.filter((clause) => clause.words.length > 1);
  if (words.length > 0 && (await found(words, 1)) === 0) return [];
  const counted: { clause: Clause; count: number }[] = [];
  for (const clause of all)
    if (clause.words.length === 1) counted.push({ clause, count: await found([clause], COUNTED_MAX) });
  counted.sort((one, other) => one.count - other.count);
  for (const { clause, count } of counted) {
    if (count === 0) continue;
    const more = [...words, clause];
    if (words.length === 0 || (await found(more, 1)) > 0) words = more;
  }
  return words;
}

export async function searchWithFewer(db: Db, account: string, wanted: Wanted): Promise<Searched> {
  const { query } = wanted.query.search;
  const page = await runSearch(db, account, wanted);
  const { first, last, search } = wanted.query;
  const isEmpty = first > last || search.facets.some((group) => group.length === 0);
  if (page.total > 0 || query.wanted.length < 2 || isEmpty) return { page, query };
  const words = await tellingWords(db, account, wanted);
  if (words.length === 0) return { page, query };
  const fewer = { used: words.length, of: query.wanted.length };
  const found = await runSearch(db, account, asking(wanted, words));
  return found.total === 0 ? { page, query } : { page: found, query: { ...query, wanted: words }, fewer };
}
