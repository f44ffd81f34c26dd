/** Queries on the full-text index of either database, newest first. */
import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";
import { type Field, fts5Expression, type Search, tsqueryExpression } from "../domain/search/expressions.ts";
import type { Tables } from "../tables.ts";
import { isOneNumberOf } from "./one-of.ts";

type Db = Kysely<Tables>;

/** Podcast filters that are not in the index, because they change with every episode. */
export type PodcastFigures = {
  readonly episodesMin?: number | undefined;
  readonly episodesMax?: number | undefined;
  readonly hoursMin?: number | undefined;
  readonly hoursMax?: number | undefined;
};
export type DocumentQuery = {
  readonly search: Search;
  /** Range of places (row ids). A place encodes a date. */
  readonly first: number;
  readonly last: number;
  /** Excluded places. */
  readonly except?: readonly number[];
};
export type Found = {
  readonly place: number;
  readonly id: string;
  readonly podcastId: string;
  readonly pubDateMs: number;
  readonly title: string;
  readonly author: string;
  readonly listenScore: number;
};

const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** Places of the index matches, as `place`. */
function matches(
  db: Db,
  account: string,
  query: DocumentQuery,
  fields?: readonly Field[],
): RawBuilder<unknown> {
  const { search, first, last, except = [] } = query;
  const place = sql.ref(isPostgres(db) ? "search_id" : "rowid");
  const isWanted = except.length === 0 ? sql`` : sql`and ${place} not in (${sql.join(except)})`;
  if (isPostgres(db))
    return sql`select search_id as place from podcasts_document_fts
      where words @@ cast(${tsqueryExpression(account, search, fields)} as tsquery)
      and search_id between ${first} and ${last} ${isWanted} order by search_id`;
  return sql`select rowid as place from podcasts_document_fts
    where podcasts_document_fts match ${fts5Expression(account, search, fields)}
    and rowid between ${first} and ${last} ${isWanted} order by rowid`;
}

function figuresCondition({
  episodesMin,
  episodesMax,
  hoursMin,
  hoursMax,
}: PodcastFigures): RawBuilder<boolean> {
  const conditions: RawBuilder<boolean>[] = [];
  if (episodesMin !== undefined) conditions.push(sql`p.total_episodes >= ${episodesMin}`);
  if (episodesMax !== undefined) conditions.push(sql`p.total_episodes <= ${episodesMax}`);
  if (hoursMin !== undefined) conditions.push(sql`p.update_frequency_hours >= ${hoursMin}`);
  if (hoursMax !== undefined) conditions.push(sql`p.update_frequency_hours <= ${hoursMax}`);
  return sql.join(conditions, sql` and `);
}

type FoundRow = {
  search_id: number;
  id: string;
  podcast_id: string;
  pub_date_ms: number;
  title: string;
  author: string;
  listen_score: number | null;
};
const foundOf = (row: FoundRow): Found => ({
  place: Number(row.search_id),
  id: row.id,
  podcastId: row.podcast_id,
  pubDateMs: Number(row.pub_date_ms),
  title: row.title,
  author: row.author,
  listenScore: Number(row.listen_score ?? 0),
});

/** Number of newest matches that are checked for criteria outside the index. */
export const LOOKED_THROUGH_MAX = 10_000;

/** Newest first. `fields` limits the search to these fields. */
export async function findPlaces(
  db: Db,
  account: string,
  query: DocumentQuery,
  { limit, offset = 0, fields }: { limit: number; offset?: number; fields?: readonly Field[] },
): Promise<number[]> {
  const { rows } = await sql<{
    place: number;
  }>`${matches(db, account, query, fields)} limit ${limit} offset ${offset}`.execute(db);
  return rows.map(({ place }) => Number(place));
}

export async function countDocuments(db: Db, account: string, query: DocumentQuery): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from (${matches(db, account, query)}) m`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

export type Candidate = { readonly place: number; readonly podcastId: string };
/** The newest matches whose podcasts match the figures, with their podcast ids; newest first. */
export async function lookThrough(
  db: Db,
  account: string,
  query: DocumentQuery,
  figures: PodcastFigures | undefined,
): Promise<Candidate[]> {
  const podcasts = figures
    ? sql`join podcasts_podcast p on p.account = d.account and p.id = d.podcast_id and ${figuresCondition(figures)}`
    : sql``;
  const { rows } = await sql<{ place: number; podcast_id: string }>`select m.place, d.podcast_id
    from (${matches(db, account, query)} limit ${LOOKED_THROUGH_MAX}) m
    cross join podcasts_document d ${podcasts} where d.search_id = m.place`.execute(db);
  return rows
    .map((row) => ({ place: Number(row.place), podcastId: row.podcast_id }))
    .sort((one, other) => one.place - other.place);
}

/** Documents at these places in any order. Documents that moved meanwhile are left out. */
export async function findDocuments(db: Db, places: readonly number[]): Promise<Found[]> {
  if (places.length === 0) return [];
  const { rows } =
    await sql<FoundRow>`select d.search_id, d.id, d.podcast_id, d.pub_date_ms, d.title, d.author, p.listen_score
    from podcasts_document d left join podcasts_podcast p on p.account = d.account and p.id = d.podcast_id
    where ${isOneNumberOf(db, "d.search_id", places)}`.execute(db);
  return rows.map(foundOf);
}

/** Podcasts that match the figures; undefined if there are more than `max`. */
export async function findPodcastsByFigures(
  db: Db,
  account: string,
  figures: PodcastFigures,
  max: number,
): Promise<string[] | undefined> {
  const { rows } = await sql<{ id: string }>`select p.id from podcasts_podcast p
    where p.account = ${account} and ${figuresCondition(figures)} limit ${max + 1}`.execute(db);
  return rows.length > max ? undefined : rows.map(({ id }) => id);
}

/** The most frequent languages, for the stems of a query. */
export async function findLanguages(db: Db, account: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("podcasts_podcast")
    .select(({ fn }) => ["language", fn.countAll().as("count")])
    .where("account", "=", account)
    .groupBy("language")
    .orderBy("count", "desc")
    .orderBy("language")
    .limit(limit)
    .execute();
  return rows.map(({ language }) => language);
}
