/**
 * Pages of resources in any order, without a full scan. An index has the resources of one type in order, and
 * a page merges the first rows of each type. If a text or tag matches only few resources, these are found
 * first and then sorted.
 */
import { type RawBuilder, sql } from "kysely";
import type { KernelTables } from "#kernel/runtime";
import {
  type Db,
  findKinds,
  findTagged,
  hasText,
  isIn,
  isInNameOrArn,
  isPostgres,
  type Kind,
  narrowed,
  type Query,
  type ResourceFilter,
} from "./resource-filter.ts";

export const SORTS = ["arn", "name", "type", "updated"] as const;
export type Sort = { readonly by: (typeof SORTS)[number]; readonly isDown: boolean };
export type ResourceRow = KernelTables["medley_resource"];
/** Sort value of a row, and its ARN as the tie-breaker. */
type Place = readonly (string | number)[];

/**
 * Sample size of each type, to estimate how common a text is. From a quarter on, an ordered walk soon fills
 * a page.
 */
const LOOKED_AT = 40;
const COMMON_SHARE = 0.25;
/** If the sample predicts one and a half pages among this many first rows, the search starts there. */
const FIRST_LOOKED_AT = 200;
const PAGES_EXPECTED = 1.5;

/** Length of names in the index. Names with the same prefix are sorted by ARN. */
const NAME_LENGTH_SORTED = 60;
const nameLength = sql.lit(NAME_LENGTH_SORTED);
const sortedName = sql<string>`substr(name, 1, ${nameLength})`;
const SORTED: Readonly<Record<Sort["by"], RawBuilder<string | number>>> = {
  arn: sql`arn`,
  name: sortedName,
  type: sql`type`,
  updated: sql`updated_at`,
};

/** Names that exceed the index. */
const isLong = sql<boolean>`length(name) > ${nameLength}`;

/** Position after which the next page starts. */
export const placeOf = (row: ResourceRow, { by }: Sort): Place => {
  const values = {
    arn: row.arn,
    name: [...row.name].slice(0, NAME_LENGTH_SORTED).join(""),
    type: row.type,
    updated: row.updated_at,
  };
  return [values[by], row.arn];
};

const asItIs = <T>(value: T): T => value;
/** A unary plus prevents SQLite from choosing an index for this expression. */
const withoutIndex = <T>(value: RawBuilder<T>) => sql<T>`+${value}`;

/** Rows in order, after the position. */
function inOrder(
  query: Query,
  { by, isDown }: Sort,
  after: Place | undefined,
  limit: number,
  spelt: typeof withoutIndex = asItIs,
): Query {
  const sorted = spelt(SORTED[by]);
  const name = spelt(SORTED.arn);
  const direction = isDown ? "desc" : "asc";
  const beyond = sql.raw(isDown ? "<" : ">");
  const first = by === "arn" ? query : query.orderBy(sorted, direction);
  const ordered = first.orderBy(name, direction).limit(limit);
  if (!after) return ordered;
  const [value, arn] = after;
  return ordered.where(
    by === "arn"
      ? sql<boolean>`${name} ${beyond} ${arn}`
      : sql<boolean>`(${sorted} ${beyond}= ${value} and (${sorted} ${beyond} ${value} or ${name} ${beyond} ${arn}))`,
  );
}

/** With sorting by type, only rows after the position are read. */
function ofKind(db: Db, filter: ResourceFilter, kind: Kind, sort: Sort, after: Place | undefined): Query {
  const rows = narrowed(db, { ...filter, ...kind });
  if (sort.by !== "type" || kind.type !== after?.[0]) return rows;
  return rows.where("arn", sort.isDown ? "<" : ">", String(after[1]));
}
function kindsBehind(kinds: readonly Kind[], { by, isDown }: Sort, after: Place | undefined) {
  if (by !== "type" || !after) return kinds;
  const first = Buffer.from(String(after[0]));
  // Byte order, like the databases.
  const fromFirst = (type: string) => Buffer.compare(Buffer.from(type), first) * (isDown ? -1 : 1);
  return kinds.filter(({ type }) => fromFirst(type) >= 0);
}

/** The first rows of each type. */
function inEachKind(
  db: Db,
  filter: ResourceFilter,
  kinds: readonly Kind[],
  sort: Sort,
  after: Place | undefined,
  limit: number,
): Query[] {
  const inKind: Sort = sort.by === "type" ? { by: "arn", isDown: sort.isDown } : sort;
  return kindsBehind(kinds, sort, after).map((kind) => {
    const rows = ofKind(db, filter, kind, sort, after);
    return inOrder(rows, inKind, sort.by === "type" ? undefined : after, limit);
  });
}
/** Merges sorted queries and returns ARNs in order. */
async function listMerged(db: Db, queries: readonly Query[], sort: Sort, limit: number): Promise<string[]> {
  const parts = queries.map((query, index) =>
    db
      .selectFrom(query.select(["arn", SORTED[sort.by].as("place")]).as(`part_${index}`))
      .select(["arn", "place"]),
  );
  const [first, ...others] = parts;
  if (!first) return [];
  const direction = sort.isDown ? "desc" : "asc";
  const all = others.reduce((query, other) => query.unionAll(other), first);
  const found = await all.orderBy("place", direction).orderBy("arn", direction).limit(limit).execute();
  return found.map(({ arn }) => arn);
}

/**
 * `soonFull`: types in which the text is common in the sample, or with few rows. `share`: share of sampled
 * rows that match.
 */
async function findCommon(
  db: Db,
  { text = "", ...filter }: ResourceFilter,
  kinds: readonly Kind[],
  sort: Sort,
  after: Place | undefined,
): Promise<{ readonly soonFull: readonly Kind[]; readonly share: number }> {
  const fitting = sql<number>`sum(case when ${hasText(db, text)} then 1 else 0 end)`;
  const parts = inEachKind(db, filter, kinds, sort, after, LOOKED_AT).map((query, index) =>
    db
      .selectFrom(query.select(["arn", "name"]).as(`part_${index}`))
      .select(({ fn }) => [
        sql.lit(index).as("index"),
        fn.countAll<number>().as("all"),
        fitting.as("fitting"),
      ]),
  );
  const [first, ...others] = parts;
  const counts = first ? await others.reduce((query, other) => query.unionAll(other), first).execute() : [];
  const isSoonFull = (count: (typeof counts)[number]) =>
    Number(count.all) < LOOKED_AT || Number(count.fitting) >= LOOKED_AT * COMMON_SHARE;
  const soonFull = new Set(counts.filter(isSoonFull).map(({ index }) => index));
  const sumOf = (name: "all" | "fitting") => counts.reduce((sum, count) => sum + Number(count[name]), 0);
  return {
    soonFull: kindsBehind(kinds, sort, after).filter((_, index) => soonFull.has(index)),
    share: sumOf("fitting") / Math.max(1, sumOf("all")),
  };
}
/** Undefined if the first rows do not fill a page. */
async function listAmongFirst(
  db: Db,
  { text = "", ...filter }: ResourceFilter,
  kinds: readonly Kind[],
  sort: Sort,
  after: Place | undefined,
  limit: number,
): Promise<string[] | undefined> {
  const parts = inEachKind(db, filter, kinds, sort, after, FIRST_LOOKED_AT);
  const first = await listMerged(db, parts, sort, FIRST_LOOKED_AT);
  const { account } = filter;
  const fitting = await narrowed(db, { account, text })
    .where("arn", "in", ["", ...first])
    .select("arn")
    .execute();
  const arns = new Set(fitting.map(({ arn }) => arn));
  return arns.size < limit ? undefined : first.filter((arn) => arns.has(arn)).slice(0, limit);
}
/**
 * Scans the other types. On SQLite, this reads only the index, except for names that exceed it. PostgreSQL
 * may use its trigram index.
 */
function inOthers(
  db: Db,
  { text = "", ...filter }: ResourceFilter,
  others: readonly Kind[] | undefined,
  sort: Sort,
  after: Place | undefined,
  limit: number,
): Query[] {
  const rows = (spelt: typeof withoutIndex = asItIs) => {
    const all = narrowed(db, filter);
    if (!others) return all;
    const values = others.map(({ service, type }) => sql`(${service}, ${type})`);
    const kind = sql`(${spelt(sql`service`)}, ${spelt(sql`type`)})`;
    return all.where(sql<boolean>`${kind} in (values ${sql.join(values)})`);
  };
  if (isPostgres(db)) return [inOrder(rows().where(hasText(db, text)), sort, after, limit)];
  const inIndex = isInNameOrArn(db, sortedName, text);
  const long = rows(withoutIndex)
    .where(isLong)
    .where(isIn(db, sql`name`, text))
    .where(sql<boolean>`not ${inIndex}`);
  return [rows().where(inIndex), long].map((query) => inOrder(query, sort, after, limit, withoutIndex));
}
/**
 * Search by text. A common text is searched among the first rows. Otherwise, types in which it is common are
 * merged, and the others are scanned. On PostgreSQL, scanning all types is faster than scanning some.
 */
async function listWithText(
  db: Db,
  filter: ResourceFilter,
  sort: Sort,
  after: Place | undefined,
  limit: number,
): Promise<string[]> {
  const kinds = await findKinds(db, filter);
  const { soonFull: common, share } = kinds
    ? await findCommon(db, filter, kinds, sort, after)
    : { soonFull: [], share: 0 };
  if (kinds && share * FIRST_LOOKED_AT >= limit * PAGES_EXPECTED) {
    const page = await listAmongFirst(db, filter, kinds, sort, after, limit);
    if (page) return page;
  }
  const others = kinds?.filter((kind) => !common.includes(kind));
  const areAllCommon = others?.length === 0;
  const merged = isPostgres(db) && !areAllCommon ? [] : common;
  const parts = inEachKind(db, filter, merged, sort, after, limit);
  if (!areAllCommon)
    parts.push(...inOthers(db, filter, merged.length === 0 ? undefined : others, sort, after, limit));
  return listMerged(db, parts, sort, limit);
}

async function readRows(db: Db, account: string, arns: readonly string[]): Promise<ResourceRow[]> {
  if (arns.length === 0) return [];
  const rows = await db
    .selectFrom("medley_resource")
    .selectAll()
    .where("account", "=", account)
    .where("arn", "in", [...arns])
    .execute();
  const byArn = new Map(rows.map((row) => [row.arn, row]));
  return arns.flatMap((arn) => byArn.get(arn) ?? []);
}

export async function listResources(
  db: Db,
  filter: ResourceFilter,
  sort: Sort,
  after: Place | undefined,
  limit: number,
): Promise<ResourceRow[]> {
  const { account, service, type, text } = filter;
  const few = await findTagged(db, filter);
  const isInOrder = text === undefined && service === undefined && type === undefined && sort.by === "arn";
  if (few || isInOrder) {
    let rows = narrowed(db, filter);
    if (few) rows = rows.where("arn", "in", ["", ...few]);
    return inOrder(rows, sort, after, limit).selectAll().execute();
  }
  if (text !== undefined) return readRows(db, account, await listWithText(db, filter, sort, after, limit));
  const kinds = await findKinds(db, filter);
  if (!kinds) return inOrder(narrowed(db, filter), sort, after, limit).selectAll().execute();
  const parts = inEachKind(db, filter, kinds, sort, after, limit);
  return readRows(db, account, await listMerged(db, parts, sort, limit));
}
