/**
 * If no document has all words, searches for the most specific subset. It starts with the rarest word. It
 * adds words by rising frequency while a document still has all of them. Phrases are never dropped. Each
 * word costs two index queries. If too few documents have all of many words, documents that lack one word
 * follow them.
 */
import type { Context } from "#kernel/operation";
import { podcastFacet } from "../domain/search/facets.ts";
import type { Clause, Query } from "../domain/search/query.ts";
import { type Found, findPlaces } from "../store/search.ts";
import type { Tables } from "../tables.ts";
import { type Page, runSearch, type Wanted } from "./engine.ts";

type Db = Context<Tables>["db"];
export type FewerWords = {
  readonly used: number;
  readonly of: number;
  /** Number of results with all words, which come first. */
  readonly complete?: number;
};
export type Searched = { readonly page: Page; readonly query: Query; readonly fewer?: FewerWords };

/** Counting stops here: more frequent words are equally common. */
const COUNTED_MAX = 500;
/** Fewer results than this are too few for `MANY_WORDS` words. */
const ENOUGH_RESULTS = 3;
const MANY_WORDS = 3;
/** Words of questions. They rank below all other words, also if they are rare. */
const LESSER: ReadonlySet<string> = new Set(
  "about can could did do doe get had has have he her his i if me my not our she should so than their them they we will would you your".split(
    " ",
  ),
);
const isLesser = ({ words: [choices = []] }: Clause): boolean => choices.some((choice) => LESSER.has(choice));

const asking = (wanted: Wanted, words: readonly Clause[]): Wanted => {
  const { search } = wanted.query;
  return {
    ...wanted,
    query: { ...wanted.query, search: { ...search, query: { ...search.query, wanted: words } } },
  };
};
const countUpTo = async (db: Db, account: string, wanted: Wanted, limit: number): Promise<number> =>
  (await findPlaces(db, account, wanted.query, { limit })).length;

/** Phrases are mandatory. */
const insistedOn = (clauses: readonly Clause[]): Clause[] =>
  clauses.filter((clause) => clause.words.length > 1);

/** Words with at least one match, most specific first. */
async function byTelling(db: Db, account: string, wanted: Wanted): Promise<Clause[]> {
  const counted: { clause: Clause; count: number }[] = [];
  for (const clause of wanted.query.search.query.wanted)
    if (clause.words.length === 1) {
      const count = await countUpTo(db, account, asking(wanted, [clause]), COUNTED_MAX);
      if (count > 0) counted.push({ clause, count });
    }
  counted.sort(
    (one, other) => Number(isLesser(one.clause)) - Number(isLesser(other.clause)) || one.count - other.count,
  );
  return counted.map(({ clause }) => clause);
}

async function tellingWords(db: Db, account: string, wanted: Wanted): Promise<readonly Clause[]> {
  const isFound = async (words: readonly Clause[]): Promise<boolean> =>
    (await countUpTo(db, account, asking(wanted, words), 1)) > 0;
  let words: readonly Clause[] = insistedOn(wanted.query.search.query.wanted);
  if (words.length > 0 && !(await isFound(words))) return [];
  for (const clause of await byTelling(db, account, wanted)) {
    const more = [...words, clause];
    if (words.length === 0 || (await isFound(more))) words = more;
  }
  return words;
}

/** All words except one, preferably the least specific, that match more than `count` documents. */
async function wordsOfMore(
  db: Db,
  account: string,
  wanted: Wanted,
  count: number,
): Promise<readonly Clause[]> {
  const all = wanted.query.search.query.wanted;
  for (const leftOut of (await byTelling(db, account, wanted)).reverse()) {
    const words = all.filter((clause) => clause !== leftOut);
    if ((await countUpTo(db, account, asking(wanted, words), count + 1)) > count) return words;
  }
  return [];
}

/** The same search without these results. With one result per podcast, it also excludes their podcasts. */
function without(wanted: Wanted, found: readonly Found[]): Wanted {
  const { query } = wanted;
  const { search } = query;
  const podcasts = wanted.isUnique ? found.map(({ podcastId }) => podcastFacet(podcastId)) : [];
  return {
    ...wanted,
    query: {
      ...query,
      except: found.map(({ place }) => place),
      search: { ...search, withoutFacets: [...search.withoutFacets, ...podcasts] },
    },
  };
}

async function withMore(db: Db, account: string, wanted: Wanted, page: Page): Promise<Searched> {
  const { query } = wanted.query.search;
  const words = await wordsOfMore(db, account, wanted, page.total);
  if (words.length === 0) return { page, query };
  const { offset, size } = wanted;
  const complete = (await runSearch(db, account, { ...wanted, offset: 0, size: page.total })).found;
  const own = complete.slice(offset, offset + size);
  const rest = await runSearch(db, account, {
    ...without(asking(wanted, words), complete),
    offset: Math.max(0, offset - complete.length),
    size: size - own.length,
  });
  if (rest.total === 0) return { page, query };
  return {
    page: { total: complete.length + rest.total, found: [...own, ...rest.found] },
    query,
    fewer: { used: words.length, of: query.wanted.length, complete: complete.length },
  };
}

export async function searchWithFewer(db: Db, account: string, wanted: Wanted): Promise<Searched> {
  const { query } = wanted.query.search;
  const page = await runSearch(db, account, wanted);
  const { first, last, search } = wanted.query;
  const isEmpty = first > last || search.facets.some((group) => group.length === 0);
  if (query.wanted.length < 2 || isEmpty) return { page, query };
  if (page.total > 0) {
    const isEnough = page.total >= ENOUGH_RESULTS || query.wanted.length < MANY_WORDS || wanted.isByDate;
    return isEnough ? { page, query } : withMore(db, account, wanted, page);
  }
  const words = await tellingWords(db, account, wanted);
  if (words.length === 0) return { page, query };
  const fewer = { used: words.length, of: query.wanted.length };
  const found = await runSearch(db, account, asking(wanted, words));
  return found.total === 0 ? { page, query } : { page: found, query: { ...query, wanted: words }, fewer };
}
