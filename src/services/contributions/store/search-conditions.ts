/** The filters as conditions on `c`, a contribution: portable ones, and those that differ by database. */
import { setImmediate as turn } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Sight } from "../domain/access.ts";
import {
  type Criterion,
  criteriaOf,
  type Property,
  placesOf,
  type SimpleCriterion,
  visibilityOf,
} from "../domain/criteria.ts";
import { type FacetQuery, facetQueryOf } from "../domain/facets.ts";
import type { Filter } from "../domain/filter.ts";
import { chordSquaredOf, findCells, vectorOf } from "../domain/globe.ts";
import type { StateName } from "../domain/moderation.ts";
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

const APPROVED: StateName = "approved";
const COLUMNS: Readonly<Record<Property, Condition>> = {
  assignment: sql`c.assignment_id`,
  owner: sql`c.owner_id`,
  user: sql`c.user_id`,
  country: sql`c.country`,
};
const isOneOf = (property: Property, values: readonly string[]): Condition =>
  values.length === 1
    ? sql`${COLUMNS[property]} = ${values[0]}`
    : sql`${COLUMNS[property]} in (${listOf(values)})`;

/** A criterion as a condition. `domain/column-filter.ts` evaluates the same criteria over columns. */
function simpleCondition(account: string, criterion: SimpleCriterion): Condition {
  switch (criterion.kind) {
    case "isOneOf":
      return isOneOf(criterion.property, criterion.values);
    case "isNoneOf":
      return sql`${COLUMNS[criterion.property]} not in (${listOf(criterion.values)})`;
    case "isPublic":
      return sql`c.is_public = 1`;
    case "hasState":
      // The second part lets the database use the partial index of unapproved contributions.
      return criterion.state === APPROVED
        ? sql`c.state = ${criterion.state}`
        : sql`c.state = ${criterion.state} and c.state <> ${sql.lit(APPROVED)}`;
    case "hasMedia":
      return criterion.mediaType === "image" ? sql`c.images > 0` : sql`c.videos > 0`;
    case "isLocated":
      return criterion.isLocated ? sql`c.geohash is not null` : sql`c.geohash is null`;
    case "isTagged":
      return sql`exists (select 1 from contributions_tagged t where t.account = ${account}
        and t.kind = 'contribution' and t.record_id = c.id and t.tag_id = ${criterion.tag})`;
  }
}
function conditionOf(account: string, criterion: Criterion): Condition {
  switch (criterion.kind) {
    case "beginsWith":
      return anyOf(criterion.geohashes.map(beginsWith));
    case "isWithin": {
      const { x, y, z } = vectorOf(criterion.circle);
      return sql`(c.x - ${x}) * (c.x - ${x}) + (c.y - ${y}) * (c.y - ${y}) + (c.z - ${z}) * (c.z - ${z})
        <= ${chordSquaredOf(criterion.circle.radiusKilometres)}`;
    }
    case "any":
      return anyOf(
        criterion.ways.map((way) =>
          sql.join(
            way.map((one) => simpleCondition(account, one)),
            sql` and `,
          ),
        ),
      );
    default:
      return simpleCondition(account, criterion);
  }
}

export const sightConditions = (account: string, sight: Sight): Condition[] => [
  sql`c.deleted_at is null`,
  ...visibilityOf(sight).map((criterion) => conditionOf(account, criterion)),
];

/** The facets of the full-text index answer these. */
const isFaceted = ({ kind }: Criterion): boolean =>
  kind === "isOneOf" || kind === "hasMedia" || kind === "isLocated" || kind === "isTagged";
function filterConditions(account: string, filter: Filter, { byFacets }: { byFacets: boolean }): Condition[] {
  const { urlWords, ids, circle } = filter;
  const { from, before } = placesOf(filter);
  const criteria = criteriaOf(filter).filter((criterion) => !byFacets || !isFaceted(criterion));
  const cells = byFacets || circle === undefined ? undefined : findCells(circle, circle.radiusKilometres);
  return [
    ...(before === undefined ? [] : [sql`c.place < ${before}`]),
    ...(from === undefined ? [] : [sql`c.place >= ${from}`]),
    ...(urlWords === undefined ? [] : [sql`c.url_words = ${urlWords}`]),
    ...(ids === undefined ? [] : [ids.length === 0 ? sql`1 = 0` : sql`c.id in (${listOf(ids)})`]),
    ...criteria.map((criterion) => conditionOf(account, criterion)),
    ...(cells ? [anyOf(cells.map(beginsWith))] : []),
  ];
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
    ...filterConditions(account, filter, { byFacets: false }),
    ...sightConditions(account, sight),
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
    ...filterConditions(account, filter, { byFacets: false }),
    ...sightConditions(account, sight),
  ]);
function indexSource(account: string, filter: Filter, sight: Sight): Source {
  const { from, before } = placesOf(filter);
  const expression = fts5Expression(account, filter.q, facetQueryOf(filter));
  return {
    from: sql`contributions_fts w cross join contributions_contribution c`,
    where: sql.join(
      [
        sql`w.contributions_fts match ${expression}`,
        sql`c.place = w.rowid`,
        sql`c.account = ${account}`,
        ...(before === undefined ? [] : [sql`w.rowid < ${before}`]),
        ...(from === undefined ? [] : [sql`w.rowid >= ${from}`]),
        ...filterConditions(account, filter, { byFacets: true }),
        ...sightConditions(account, sight),
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
/** With more matches, the newest of them are near the newest rows. */
export const FEW_PLACES_MAX = 5_000;
/**
 * The same sources as `sourcesOf`. PostgreSQL expects many rows with any word, so it would walk from the newest row
 * and test each. Few places are therefore taken from the index of words first.
 */
export async function findSources(
  db: Db,
  account: string,
  filter: Filter,
  sight: Sight,
): Promise<readonly [Source, ...Source[]]> {
  const { q, ...others } = filter;
  if (!isPostgres(db) || q === undefined || !hasWords(filter) || isVain(filter))
    return sourcesOf(db, account, filter, sight);
  const places = await placesFrom(db, wordSources(db, account, q)[0], FEW_PLACES_MAX);
  if (places.length > FEW_PLACES_MAX) return sourcesOf(db, account, filter, sight);
  const isOne = sql`c.place = any(cast(${places} as bigint[]))`;
  return [rowSource([...conditionsOf(db, account, others, sight), isOne])];
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
