/** The filter set as conditions on `c`, a contribution: what both databases understand, and what each does its own way. */
import { setImmediate as turn } from "node:timers/promises";
import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Sight } from "../domain/access.ts";
import { type FacetQuery, facetQueryOf } from "../domain/facets.ts";
import type { Filter } from "../domain/filter.ts";
import { chordSquaredOf, findCells, vectorOf } from "../domain/globe.ts";
import { firstPlaceOf } from "../domain/order.ts";
import { phrasesOf } from "../domain/words.ts";
import type { Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;
export type Condition = RawBuilder<unknown>;

export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter;
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

/** What no facet says, on either database. */
function plainConditions(filter: Filter): Condition[] {
  const { createdBeforeMs, createdFromMs, urlWords, ids, state, circle, geohashes } = filter;
  const conditions: Condition[] = [];
  if (createdBeforeMs !== undefined) conditions.push(sql`c.place < ${firstPlaceOf(createdBeforeMs)}`);
  if (createdFromMs !== undefined) conditions.push(sql`c.place >= ${firstPlaceOf(createdFromMs)}`);
  if (urlWords !== undefined) conditions.push(sql`c.url_words = ${urlWords}`);
  if (ids !== undefined) conditions.push(ids.length === 0 ? sql`1 = 0` : sql`c.id in (${listOf(ids)})`);
  if (state !== undefined) conditions.push(sql`c.state = ${state}`);
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
/** For tsquery: whose it is stands for itself. */
function tsqueryExpression(account: string, q: string | undefined): string {
  const phrase = (words: readonly string[]): string =>
    `(${words.map((word, at) => `'${word}'${at === words.length - 1 ? ":*" : ""}`).join(" <-> ")})`;
  return [`'_${account}'`, ...phrasesOf(q ?? "").map(phrase)].join(" & ");
}

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
        ? sql`c.place in (select w.place from contributions_fts w where w.words @@ cast(${tsqueryExpression(account, filter.q)} as tsquery))`
        : sql`c.place in (select rowid from contributions_fts where contributions_fts match ${fts5Expression(account, filter.q, { all: [], none: [] })})`,
    );
  return conditions;
}

export type Source = {
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  readonly order: string;
};
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
 * Where rows come from, the newest first. On SQLite filters that go together are answered by the full-text index, which
 * walks the lists of all of them side by side; PostgreSQL chooses by its statistics.
 */
export function sourceOf(db: Db, account: string, filter: Filter, sight: Sight): Source {
  const facets = FACETED.filter((name) => filter[name] !== undefined);
  const isOneColumn = facets.length === 1 && BY_COLUMN.includes(facets[0] as keyof Filter);
  const isNarrow = filter.ids !== undefined || filter.urlWords !== undefined || isWithinDays(filter);
  const byWords =
    !isPostgres(db) &&
    !isVain(filter) &&
    !isNarrow &&
    (hasWords(filter) || (facets.length > 0 && !isOneColumn));
  if (!byWords)
    return {
      from: sql`contributions_contribution c`,
      where: sql.join(conditionsOf(db, account, filter, sight), sql` and `),
      order: "c.place",
    };
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
    order: "w.rowid",
  };
}

const PLACES_AT_ONCE = 10_000;
/** Places of what has the words, ids and spelling that are asked for, whatever else it is, the lowest first; undefined where none are. */
export async function findPlacesByWords(
  db: Db,
  account: string,
  { q, urlWords, ids }: Filter,
): Promise<Float64Array | undefined> {
  const filter = {
    ...(q !== undefined && q.trim() !== "" && { q }),
    ...(urlWords !== undefined && { urlWords }),
    ...(ids !== undefined && { ids }),
  };
  if (Object.keys(filter).length === 0) return undefined;
  const byWordsAlone = filter.q !== undefined && Object.keys(filter).length === 1 && !isVain(filter);
  const isFts5 = byWordsAlone && !isPostgres(db);
  const [from, column, where] = isFts5
    ? [
        sql`contributions_fts`,
        sql`rowid`,
        sql`contributions_fts match ${fts5Expression(account, q, { all: [], none: [] })}`,
      ]
    : [
        sql`contributions_contribution c`,
        sql`c.place`,
        sql.join(conditionsOf(db, account, filter, { everything: true, goneAssignments: [] }), sql` and `),
      ];
  const places: number[] = [];
  for (;;) {
    const { rows } = await sql<{ place: number }>`select ${column} as place from ${from}
      where ${where} and ${column} > ${places.at(-1) ?? -1} order by ${column} limit ${PLACES_AT_ONCE}`.execute(
      db,
    );
    for (const { place } of rows) places.push(Number(place));
    if (rows.length < PLACES_AT_ONCE) return Float64Array.from(places);
    await turn();
  }
}
