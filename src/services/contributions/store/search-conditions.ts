/** The filters as conditions on `c`, a contribution: portable ones, and those that differ by database. */
import { setImmediate as turn } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Sight } from "../domain/access.ts";
import { type FacetQuery, facetQueryOf } from "../domain/facets.ts";
import type { Filter } from "../domain/filter.ts";
import { chordSquaredOf, findCells, vectorOf } from "../domain/globe.ts";
import type { StateName } from "../domain/moderation.ts";
import { firstPlaceOf } from "../domain/order.ts";
import { phrasesOf } from "../domain/words.ts";
import type { Tables } from "../tables/index.ts";
import { isPostgres } from "./dialect.ts";
import { isInTail } from "./search-tail.ts";

type Db = Kysely<Tables>;
export type Condition = RawBuilder<unknown>;

const anyOf = (conditions: readonly Condition[]): Condition => sql`(${sql.join(conditions, sql` or `)})`;
const listOf = (values: readonly string[]): Condition => sql.join(values.map((value) => sql`${value}`));

/** The upper bound of all geohashes with this prefix. */
const AFTER_ALL_LETTERS = "~";
const beginsWith = (prefix: string): Condition =>
  sql`(c.geohash >= ${prefix} and c.geohash < ${prefix + AFTER_ALL_LETTERS})`;

export function sightConditions(sight: Sight): Condition[] {
  const conditions: Condition[] = [sql`c.deleted_at is null`];
  if (sight.goneAssignments.length > 0)
    conditions.push(sql`c.assignment_id not in (${listOf(sight.goneAssignments)})`);
  if (sight.everything) return conditions;
  const { userId, hiddenAssignments, moderatedAssignments } = sight;
  const isPublic =
    hiddenAssignments.length === 0
      ? sql`c.is_public = 1`
      : sql`(c.is_public = 1 and c.assignment_id not in (${listOf(hiddenAssignments)}))`;
  if (userId === undefined) return [...conditions, isPublic];
  const ways = [isPublic, sql`c.user_id = ${userId}`, sql`c.owner_id = ${userId}`];
  if (moderatedAssignments.length > 0) ways.push(sql`c.assignment_id in (${listOf(moderatedAssignments)})`);
  return [...conditions, anyOf(ways)];
}

const APPROVED: StateName = "approved";
/** Filters that are not facets, on both databases. */
function plainConditions(filter: Filter): Condition[] {
  const { createdBeforeMs, createdFromMs, urlWords, ids, state, circle, geohashes } = filter;
  const conditions: Condition[] = [];
  if (createdBeforeMs !== undefined) conditions.push(sql`c.place < ${firstPlaceOf(createdBeforeMs)}`);
  if (createdFromMs !== undefined) conditions.push(sql`c.place >= ${firstPlaceOf(createdFromMs)}`);
  if (urlWords !== undefined) conditions.push(sql`c.url_words = ${urlWords}`);
  if (ids !== undefined) conditions.push(ids.length === 0 ? sql`1 = 0` : sql`c.id in (${listOf(ids)})`);
  if (state !== undefined) conditions.push(sql`c.state = ${state}`);
  // Needed so that the database uses the partial index of unapproved contributions.
  if (state !== undefined && state !== APPROVED) conditions.push(sql`c.state <> ${sql.lit(APPROVED)}`);
  if (geohashes !== undefined) conditions.push(anyOf(geohashes.map(beginsWith)));
  if (circle !== undefined) {
    const { x, y, z } = vectorOf(circle);
    conditions.push(
      sql`(c.x - ${x}) * (c.x - ${x}) + (c.y - ${y}) * (c.y - ${y}) + (c.z - ${z}) * (c.z - ${z}) <= ${chordSquaredOf(circle.radiusKilometres)}`,
    );
  }
  return conditions;
}

/** Facet filters by columns. */
function columnConditions(account: string, filter: Filter): Condition[] {
  const { assignment, ownedBy, user, country, mediaType, tags = [], hasLocation, circle } = filter;
  const conditions: Condition[] = [];
  if (assignment !== undefined) conditions.push(sql`c.assignment_id = ${assignment}`);
  if (ownedBy !== undefined) conditions.push(sql`c.owner_id = ${ownedBy}`);
  if (user !== undefined) conditions.push(sql`c.user_id = ${user}`);
  if (country !== undefined) conditions.push(sql`c.country = ${country}`);
  if (mediaType !== undefined) conditions.push(mediaType === "image" ? sql`c.images > 0` : sql`c.videos > 0`);
  if (hasLocation !== undefined)
    conditions.push(hasLocation ? sql`c.geohash is not null` : sql`c.geohash is null`);
  const cells = circle && findCells(circle, circle.radiusKilometres);
  if (cells) conditions.push(anyOf(cells.map(beginsWith)));
  for (const tag of tags)
    conditions.push(sql`exists (select 1 from contributions_tagged t where t.account = ${account}
      and t.kind = 'contribution' and t.record_id = c.id and t.tag_id = ${tag})`);
  return conditions;
}

const hasWords = ({ q }: Filter): boolean => q !== undefined && q.trim() !== "";
/** A query without any word matches nothing. */
const isVain = (filter: Filter): boolean => hasWords(filter) && phrasesOf(filter.q ?? "").length === 0;

const quoted = (text: string): string => `"${text}"`;
/** For FTS5: every word has its account as a prefix. */
export function fts5Expression(account: string, q: string | undefined, { all, none }: FacetQuery): string {
  const phrase = (words: readonly string[]): string =>
    `words : ${quoted(words.map((word) => account + word).join(" "))} *`;
  const group = (facets: readonly string[]): string =>
    `facets : (${facets.map((facet) => quoted(account + facet)).join(" OR ")})`;
  const wanted = [...phrasesOf(q ?? "").map(phrase), ...all.map(group)];
  if (wanted.length === 0) wanted.push(group(["_"]));
  const positive = wanted.join(" AND ");
  return none.length === 0 ? positive : `(${positive}) NOT (${group(none)})`;
}
/** For tsquery, in the same way. */
function tsqueryExpression(account: string, q: string | undefined): string {
  const phrase = (words: readonly string[]): string =>
    `(${words.map((word, at) => `'${account}${word}'${at === words.length - 1 ? ":*" : ""}`).join(" <-> ")})`;
  return phrasesOf(q ?? "")
    .map(phrase)
    .join(" & ");
}
const hasWordsOnPostgres = (account: string, q: string | undefined): Condition =>
  sql`w.words @@ cast(${tsqueryExpression(account, q)} as tsquery)`;

const NO_FACETS: FacetQuery = { all: [], none: [] };
/** For a contribution that is not indexed yet: each phrase must follow a space. */
const tailConditions = (q: string | undefined): Condition[] => [
  isInTail(sql`c.place`),
  ...phrasesOf(q ?? "").map((words) => sql`instr(' ' || c.words, ${` ${words.join(" ")}`}) > 0`),
];
const hasWordsOnSqlite = (account: string, q: string | undefined): Condition =>
  sql`(c.place in (select rowid from contributions_fts where contributions_fts match ${fts5Expression(account, q, NO_FACETS)})
    or (${sql.join(tailConditions(q), sql` and `)}))`;

/** All filters and permissions, as conditions on `c` alone. */
export function conditionsOf(db: Db, account: string, filter: Filter, sight: Sight): Condition[] {
  const conditions = [
    sql`c.account = ${account}`,
    ...plainConditions(filter),
    ...columnConditions(account, filter),
    ...sightConditions(sight),
  ];
  if (isVain(filter)) conditions.push(sql`1 = 0`);
  else if (hasWords(filter))
    conditions.push(
      isPostgres(db)
        ? sql`c.place in (select w.place from contributions_fts w where ${hasWordsOnPostgres(account, filter.q)})`
        : hasWordsOnSqlite(account, filter.q),
    );
  return conditions;
}

export type Source = {
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  /** The place, which gives the order without a sort. */
  readonly order: RawBuilder<unknown>;
};
/** The union of several sources. */
export const selectFrom = (
  sources: readonly Source[],
  columnsOf: (source: Source) => RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql.join(
    sources.map((source) => sql`select ${columnsOf(source)} from ${source.from} where ${source.where}`),
    sql` union all `,
  );
/** Columns with their own index, ordered by place. A filter on one of them needs no full-text index. */
const BY_COLUMN: readonly (keyof Filter)[] = ["assignment", "user", "country"];
const FACETED: readonly (keyof Filter)[] = [
  "assignment",
  "ownedBy",
  "user",
  "country",
  "mediaType",
  "tags",
  "geohashes",
  "circle",
  "hasLocation",
];

/** A time range so short that scanning it is faster than the index. */
const NARROW_MS = 2 * 86_400_000;
const isWithinDays = ({ createdFromMs, createdBeforeMs }: Filter): boolean =>
  createdFromMs !== undefined &&
  createdBeforeMs !== undefined &&
  createdBeforeMs - createdFromMs <= NARROW_MS;

/**
 * The sources of rows. At any moment they are disjoint. A row that moves meanwhile moves to a later source, so
 * none is missed. On SQLite the full-text index answers combined filters by intersecting their lists, and a scan
 * covers the rows that are not indexed yet. PostgreSQL chooses by its statistics.
 */
export function sourcesOf(
  db: Db,
  account: string,
  filter: Filter,
  sight: Sight,
): readonly [Source, ...Source[]] {
  const facets = FACETED.filter((name) => filter[name] !== undefined);
  const isOneColumn = facets.length === 1 && BY_COLUMN.includes(facets[0] as keyof Filter);
  const isNarrow = filter.ids !== undefined || filter.urlWords !== undefined || isWithinDays(filter);
  const byWords =
    !isPostgres(db) &&
    !isVain(filter) &&
    !isNarrow &&
    (hasWords(filter) || (facets.length > 0 && !isOneColumn));
  return byWords
    ? [tailSource(account, filter, sight), indexSource(account, filter, sight)]
    : [rowSource(conditionsOf(db, account, filter, sight))];
}
const rowSource = (conditions: readonly Condition[]): Source => ({
  from: sql`contributions_contribution c`,
  where: sql.join(conditions, sql` and `),
  order: sql`c.place`,
});
const tailSource = (account: string, filter: Filter, sight: Sight): Source =>
  rowSource([
    sql`c.account = ${account}`,
    ...tailConditions(filter.q),
    ...plainConditions(filter),
    ...columnConditions(account, filter),
    ...sightConditions(sight),
  ]);
function indexSource(account: string, filter: Filter, sight: Sight): Source {
  const ranges: Condition[] = [];
  if (filter.createdBeforeMs !== undefined)
    ranges.push(sql`w.rowid < ${firstPlaceOf(filter.createdBeforeMs)}`);
  if (filter.createdFromMs !== undefined) ranges.push(sql`w.rowid >= ${firstPlaceOf(filter.createdFromMs)}`);
  const expression = fts5Expression(account, filter.q, facetQueryOf(filter));
  return {
    from: sql`contributions_fts w cross join contributions_contribution c`,
    where: sql.join(
      [
        sql`w.contributions_fts match ${expression}`,
        sql`c.place = w.rowid`,
        sql`c.account = ${account}`,
        ...ranges,
        ...plainConditions(filter),
        ...sightConditions(sight),
      ],
      sql` and `,
    ),
    order: sql`w.rowid`,
  };
}

const PLACES_AT_ONCE = 10_000;
/** The sources of rows with these words, whatever the other filters are. */
function wordSources(db: Db, account: string, q: string): readonly [Source, ...Source[]] {
  if (isPostgres(db))
    return [{ from: sql`contributions_fts w`, where: hasWordsOnPostgres(account, q), order: sql`w.place` }];
  const everything: Sight = { everything: true, goneAssignments: [] };
  return [
    tailSource(account, { q }, everything),
    {
      from: sql`contributions_fts`,
      where: sql`contributions_fts match ${fts5Expression(account, q, NO_FACETS)}`,
      order: sql`rowid`,
    },
  ];
}
/**
 * Places that match the words, ids and addresses of the filter, lowest first; undefined if the filter has none.
 * If there are more than `max`, it returns `max` + 1 of them.
 */
export async function findPlacesByWords(
  db: Db,
  account: string,
  { q, urlWords, ids }: Filter,
  max = Number.POSITIVE_INFINITY,
): Promise<Float64Array | undefined> {
  const filter = {
    ...(q !== undefined && q.trim() !== "" && { q }),
    ...(urlWords !== undefined && { urlWords }),
    ...(ids !== undefined && { ids }),
  };
  if (Object.keys(filter).length === 0) return undefined;
  const byWordsAlone = filter.q !== undefined && Object.keys(filter).length === 1 && !isVain(filter);
  const everything: Sight = { everything: true, goneAssignments: [] };
  const sources = byWordsAlone
    ? wordSources(db, account, filter.q ?? "")
    : [rowSource(conditionsOf(db, account, filter, everything))];
  const found = new Set<number>();
  for (const source of sources)
    if (found.size <= max) for (const place of await placesFrom(db, source, max)) found.add(place);
  return Float64Array.from(found).sort();
}
/** In any order, at most `max` + 1. */
async function placesFrom(db: Db, { from, where, order }: Source, max: number): Promise<number[]> {
  if (max <= PLACES_AT_ONCE) {
    const { rows } = await sql<{
      place: number;
    }>`select ${order} as place from ${from} where ${where} limit ${max + 1}`.execute(db);
    return rows.map(({ place }) => Number(place));
  }
  const places: number[] = [];
  for (;;) {
    const { rows } = await sql<{ place: number }>`select ${order} as place from ${from}
      where ${where} and ${order} > ${places.at(-1) ?? -1} order by ${order} limit ${PLACES_AT_ONCE}`.execute(
      db,
    );
    for (const { place } of rows) places.push(Number(place));
    if (rows.length < PLACES_AT_ONCE) return places;
    await turn();
  }
}
