/** One search from what is asked to the page of what is found: candidates from the index, ranked, then the rest by date. */
import type { Context } from "#kernel/operation";
import type { Field } from "../domain/search/expressions.ts";
import { podcastFacet } from "../domain/search/facets.ts";
import { pointsOf } from "../domain/search/rank.ts";
import {
  countDocuments,
  type DocumentQuery,
  type Found,
  findDocuments,
  findPodcastsByFigures,
  LOOKED_THROUGH_MAX,
} from "../store/search.ts";
import type { Tables } from "../tables.ts";

type Db = Context<Tables>["db"];
export type Wanted = {
  readonly query: DocumentQuery;
  readonly isByDate: boolean;
  /** One result of each podcast. */
  readonly isUnique: boolean;
  readonly offset: number;
  readonly size: number;
  readonly nowMs: number;
};
export type Page = { readonly total: number; readonly found: readonly Found[] };

/** Of those with every word in the title, in the podcast's name, and anywhere, that many of the newest are ranked. */
const RANKED_BY_TITLE = 300;
const RANKED_BY_AUTHOR = 150;
const RANKED_BY_ANYTHING = 200;
/** Fewer podcasts than this are named to the index; more are looked up for what it finds. */
const PODCASTS_NAMED_MAX = 300;

/** Where few podcasts have the figures that are asked for, the index is asked for these podcasts. */
async function withFigures(
  db: Db,
  account: string,
  query: DocumentQuery,
): Promise<DocumentQuery | undefined> {
  if (!query.figures) return query;
  const ids = await findPodcastsByFigures(db, account, query.figures, PODCASTS_NAMED_MAX);
  if (!ids) return query;
  if (ids.length === 0) return undefined;
  const { search } = query;
  return {
    ...query,
    search: { ...search, facets: [...search.facets, ids.map(podcastFacet)] },
    figures: undefined,
  };
}

export async function runSearch(db: Db, account: string, wanted: Wanted): Promise<Page> {
  const query = await withFigures(db, account, wanted.query);
  if (!query || query.first > query.last || query.search.facets.some((group) => group.length === 0))
    return { total: 0, found: [] };
  const asked = { ...wanted, query };
  if (wanted.isUnique) return uniquePage(db, account, asked);
  if (wanted.isByDate) return pageByDate(db, account, asked);
  return rankedPage(db, account, asked);
}

async function pageByDate(db: Db, account: string, { query, offset, size }: Wanted): Promise<Page> {
  const found = await findDocuments(db, account, query, { limit: size, offset });
  const isLast = found.length < size && (found.length > 0 || offset === 0);
  return { found, total: isLast ? offset + found.length : await countDocuments(db, account, query) };
}

const isLookedIn = (query: DocumentQuery, field: Field): boolean =>
  query.search.fields.length === 0 || query.search.fields.includes(field);

/** The best first. Everything that was found, or undefined `total` where there is more. */
async function rankedHead(
  db: Db,
  account: string,
  { query, nowMs }: Wanted,
): Promise<{ readonly head: readonly Found[]; readonly isAll: boolean }> {
  const newest = await findDocuments(db, account, query, { limit: RANKED_BY_ANYTHING });
  const isAll = newest.length < RANKED_BY_ANYTHING;
  const candidates = new Map(newest.map((one) => [one.order, one]));
  if (!isAll && query.search.query.wanted.length > 0)
    for (const [field, limit] of [
      ["title", RANKED_BY_TITLE],
      ["author", RANKED_BY_AUTHOR],
    ] as const) {
      if (!isLookedIn(query, field)) continue;
      for (const one of await findDocuments(db, account, query, { limit, fields: [field] }))
        candidates.set(one.order, one);
    }
  const ranked = [...candidates.values()].map((found) => {
    const { pubDateMs, listenScore } = found;
    const text = { title: found.title.split(" "), author: found.author.split(" "), pubDateMs, listenScore };
    return { found, points: pointsOf(text, query.search.query, nowMs) };
  });
  ranked.sort((one, other) => other.points - one.points || one.found.order - other.found.order);
  return { head: ranked.map(({ found }) => found), isAll };
}

async function rankedPage(db: Db, account: string, wanted: Wanted): Promise<Page> {
  const { query, offset, size } = wanted;
  const { head, isAll } = await rankedHead(db, account, wanted);
  const end = offset + size;
  if (isAll) return { total: head.length, found: head.slice(offset, end) };
  const total = await countDocuments(db, account, query);
  if (end <= head.length) return { total, found: head.slice(offset, end) };
  const rest = await behind(db, account, query, head, end);
  return { total, found: [...head, ...rest].slice(offset, end) };
}

/** What comes after those that were ranked, by date. */
async function behind(
  db: Db,
  account: string,
  query: DocumentQuery,
  head: readonly Found[],
  end: number,
): Promise<Found[]> {
  const ranked = new Set(head.map(({ order }) => order));
  const newest = await findDocuments(db, account, query, { limit: end });
  return newest.filter(({ order }) => !ranked.has(order));
}

async function uniquePage(db: Db, account: string, wanted: Wanted): Promise<Page> {
  const { query, offset, size, isByDate } = wanted;
  const { head, isAll } = isByDate ? { head: [], isAll: false } : await rankedHead(db, account, wanted);
  const rest = isAll ? [] : await behind(db, account, query, head, LOOKED_THROUGH_MAX);
  const seen = new Set<string>();
  const unique = [...head, ...rest].filter(({ podcastId }) => {
    if (seen.has(podcastId)) return false;
    seen.add(podcastId);
    return true;
  });
  return { total: unique.length, found: unique.slice(offset, offset + size) };
}
