/** Runs a search: takes candidates from the index, ranks them, and appends the rest by date. */
import type { Context } from "#kernel/operation";
import type { Field } from "../domain/search/expressions.ts";
import { podcastFacet } from "../domain/search/facets.ts";
import { pointsFor } from "../domain/search/rank.ts";
import {
  countDocuments,
  type DocumentQuery,
  type Found,
  findDocuments,
  findPlaces,
  findPodcastsByFigures,
  LOOKED_THROUGH_MAX,
  lookThrough,
  type PodcastFigures,
} from "../store/search.ts";
import type { Tables } from "../tables.ts";

type Db = Context<Tables>["db"];
export type Wanted = {
  readonly query: DocumentQuery;
  readonly figures?: PodcastFigures | undefined;
  readonly isByDate: boolean;
  /** At most one result per podcast. */
  readonly isUnique: boolean;
  readonly offset: number;
  readonly size: number;
  readonly nowMs: number;
};
export type Page = { readonly total: number; readonly found: readonly Found[] };

/** Number of newest matches to rank, by match in the title, in the author, and in any field. */
const RANKED_BY_TITLE = 300;
const RANKED_BY_AUTHOR = 150;
const RANKED_BY_ANYTHING = 200;
/** Up to this number, all matches are ranked with one index query. */
const RANKED_ALL_MAX = RANKED_BY_TITLE + RANKED_BY_AUTHOR + RANKED_BY_ANYTHING;
/** Up to this number, podcasts are added to the index query. More are checked against its matches. */
const PODCASTS_NAMED_MAX = 300;

/** If few podcasts match the figures, the index query is limited to these podcasts. */
async function withFigures(db: Db, account: string, wanted: Wanted): Promise<Wanted | undefined> {
  const { figures, query } = wanted;
  if (!figures) return wanted;
  const ids = await findPodcastsByFigures(db, account, figures, PODCASTS_NAMED_MAX);
  if (!ids) return wanted;
  if (ids.length === 0) return undefined;
  const { search } = query;
  const named = { ...search, facets: [...search.facets, ids.map(podcastFacet)] };
  return { ...wanted, query: { ...query, search: named }, figures: undefined };
}

export async function runSearch(db: Db, account: string, asked: Wanted): Promise<Page> {
  const wanted = await withFigures(db, account, asked);
  const query = wanted?.query;
  if (!query || query.first > query.last || query.search.facets.some((group) => group.length === 0))
    return { total: 0, found: [] };
  if (wanted.figures || wanted.isUnique) return lookedThroughPage(db, account, wanted);
  if (wanted.isByDate) return pageByDate(db, account, wanted);
  return rankedPage(db, account, wanted);
}

async function pageByDate(db: Db, account: string, { query, offset, size }: Wanted): Promise<Page> {
  const places = await findPlaces(db, account, query, { limit: size, offset });
  const isLast = places.length < size && (places.length > 0 || offset === 0);
  const total = isLast ? offset + places.length : await countDocuments(db, account, query);
  return { found: await inOrder(db, places), total };
}

/** Documents in the order of the places. `known` documents are not read again. */
async function inOrder(
  db: Db,
  places: readonly number[],
  known: ReadonlyMap<number, Found> = new Map(),
): Promise<Found[]> {
  const missing = places.filter((place) => !known.has(place));
  const added = new Map((await findDocuments(db, missing)).map((one) => [one.place, one]));
  return places.flatMap((place) => known.get(place) ?? added.get(place) ?? []);
}

const isLookedIn = (query: DocumentQuery, field: Field): boolean =>
  query.search.fields.length === 0 || query.search.fields.includes(field);

/** Filters match most documents, so they are the slowest part of an index query. */
const isNarrowed = ({ search }: DocumentQuery): boolean =>
  search.facets.length + search.withoutFacets.length > 0;
const withoutFilters = (query: DocumentQuery): DocumentQuery => ({
  ...query,
  search: { ...query.search, facets: [], withoutFacets: [] },
});

/** Places to rank if there are too many matches to rank all. `all` has all matches if they are known. */
async function candidatesOf(
  db: Db,
  account: string,
  query: DocumentQuery,
  newest: readonly number[],
  all?: ReadonlySet<number>,
): Promise<Set<number>> {
  const candidates = new Set(newest.slice(0, RANKED_BY_ANYTHING));
  if (query.search.query.wanted.length === 0) return candidates;
  for (const [field, limit] of [
    ["title", RANKED_BY_TITLE],
    ["author", RANKED_BY_AUTHOR],
  ] as const) {
    if (!isLookedIn(query, field)) continue;
    const places = all
      ? await findPlaces(db, account, withoutFilters(query), { limit: LOOKED_THROUGH_MAX, fields: [field] })
      : await findPlaces(db, account, query, { limit, fields: [field] });
    for (const place of places.filter((one) => all?.has(one) ?? true).slice(0, limit)) candidates.add(place);
  }
  return candidates;
}

/** Best first, keyed by place. */
async function ranked(
  db: Db,
  { query, nowMs }: Wanted,
  candidates: Iterable<number>,
): Promise<Map<number, Found>> {
  const pointsOf = pointsFor(query.search.query, nowMs);
  const documents = (await findDocuments(db, [...candidates])).map((found) => {
    const { pubDateMs, listenScore } = found;
    const text = { title: found.title.split(" "), author: found.author.split(" "), pubDateMs, listenScore };
    return { found, points: pointsOf(text) };
  });
  documents.sort((one, other) => other.points - one.points || one.found.place - other.found.place);
  return new Map(documents.map(({ found }) => [found.place, found]));
}

/** The ranked head, then the remaining places by date. */
const behind = (head: ReadonlyMap<number, Found>, places: readonly number[]): number[] => [
  ...head.keys(),
  ...places.filter((place) => !head.has(place)),
];

async function rankedPage(db: Db, account: string, wanted: Wanted): Promise<Page> {
  const { query, offset, size } = wanted;
  const end = offset + size;
  const limit = isNarrowed(query) ? LOOKED_THROUGH_MAX : RANKED_ALL_MAX + 1;
  const newest = await findPlaces(db, account, query, { limit });
  if (newest.length <= RANKED_ALL_MAX) {
    const best = [...(await ranked(db, wanted, newest)).values()];
    return { total: best.length, found: best.slice(offset, end) };
  }
  const all = newest.length < limit ? new Set(newest) : undefined;
  const head = await ranked(db, wanted, await candidatesOf(db, account, query, newest, all));
  const total = all?.size ?? (await countDocuments(db, account, query));
  // The ranked head can consist of the newest places, so the query needs every place up to the page end.
  const places = end <= newest.length ? newest : await findPlaces(db, account, query, { limit: end });
  return { total, found: await inOrder(db, behind(head, places).slice(offset, end), head) };
}

/** Scans the newest matches for criteria that are not in the index. */
async function lookedThroughPage(db: Db, account: string, wanted: Wanted): Promise<Page> {
  const { query, figures, offset, size, isByDate, isUnique } = wanted;
  const all = await lookThrough(db, account, query, figures);
  const podcasts = new Map(all.map(({ place, podcastId }) => [place, podcastId]));
  const newest = all.map(({ place }) => place);
  const candidates =
    newest.length <= RANKED_ALL_MAX
      ? newest
      : await candidatesOf(db, account, query, newest, new Set(newest));
  const head = isByDate ? new Map<number, Found>() : await ranked(db, wanted, candidates);
  const ordered = behind(head, newest);
  const places = isUnique ? firstOfEach(ordered, podcasts) : ordered;
  return {
    total: places.length,
    found: await inOrder(db, places.slice(offset, offset + size), head),
  };
}
function firstOfEach(places: readonly number[], podcasts: ReadonlyMap<number, string>): number[] {
  const seen = new Set<string>();
  return places.filter((place) => {
    const podcastId = podcasts.get(place) ?? "";
    if (seen.has(podcastId)) return false;
    seen.add(podcastId);
    return true;
  });
}
