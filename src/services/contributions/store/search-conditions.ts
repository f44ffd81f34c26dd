/** The filter set as conditions on `c`, a contribution: what both databases understand, and what each does its own way. */
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

/** Behind every geohash that begins with this one. */
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
/** What no facet says, on either database. */
function plainConditions(filter: Filter): Condition[] {
  const { createdBeforeMs, createdFromMs, urlWords, ids, state, circle, geohashes } = filter;
  const conditions: Condition[] = [];
  if (createdBeforeMs !== undefined) conditions.push(sql`c.place < ${firstPlaceOf(createdBeforeMs)}`);
  if (createdFromMs !== undefined) conditions.push(sql`c.place >= ${firstPlaceOf(createdFromMs)}`);
  if (urlWords !== undefined) conditions.push(sql`c.url_words = ${urlWords}`);
  if (ids !== undefined) conditions.push(ids.length === 0 ? sql`1 = 0` : sql`c.id in (${listOf(ids)})`);
  if (state !== undefined) conditions.push(sql`c.state = ${state}`);
  // The index of those that are not approved is used only where this is said.
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

/** What facets say, by columns. */
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
/** A query without a single word finds nothing. */
const isVain = (filter: Filter): boolean => hasWords(filter) && phrasesOf(filter.q ?? "").length === 0;

const quoted = (text: string): string => `"${text}"`;
/** For FTS5: every word begins with whose it is. */
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
/** Of a contribution that is not in the index yet: each phrase must follow a blank. */
const tailConditions = (q: string | undefined): Condition[] => [
  isInTail(sql`c.place`),
  ...phrasesOf(q ?? "").map((words) => sql`instr(' ' || c.words, ${` ${words.join(" ")}`}) > 0`),
];
const hasWordsOnSqlite = (account: string, q: string | undefined): Condition =>
  sql`(c.place in (select rowid from contributions_fts where contributions_fts match ${fts5Expression(account, q, NO_FACETS)})
    or (${sql.join(tailConditions(q), sql` and `)}))`;

/** All that the filter and the caller's sight ask for, as conditions on `c` alone. */
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
  /** The place, by which rows come in order without being sorted. */
  readonly order: RawBuilder<unknown>;
};
/** Of all that come from any of them. */
export const selectFrom = (
  sources: readonly Source[],
  columnsOf: (source: Source) => RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql.join(
    sources.map((source) => sql`select ${columnsOf(source)} from ${source.from} where ${source.where}`),
    sql` union all `,
  );
/** Columns that have an index of their own, ordered by place: one of them alone needs no full-text index. */
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

/** So little time that walking through it is faster than through lists of all times. */
const NARROW_MS = 2 * 86_400_000;
const isWithinDays = ({ createdFromMs, createdBeforeMs }: Filter): boolean =>
  createdFromMs !== undefined &&
  createdBeforeMs !== undefined &&
  createdBeforeMs - createdFromMs <= NARROW_MS;

/**
 * Where rows come from; at any moment no row comes from two of them, and one that goes from one to another meanwhile goes to a later one. On SQLite filters that go together are answered by the full-text index, which
 * walks the lists of all of them side by side, and by a look through what is not in it yet; PostgreSQL chooses by its statistics.
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
/** Where rows with the words come from, whatever else is asked for. */
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
 * Places of what has the words, ids and spelling that are asked for, whatever else it is, the lowest first; undefined where none are.
 * Where they are more than `max`, `max` of them and one more.
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
/** In any order; `max` at the most, and one more. */
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
