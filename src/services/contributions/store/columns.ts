/**
 * A column cache of contributions, consistent with the database. Every change of a contribution also changes a
 * stamp in the same transaction. The stamps show which time ranges must be read again.
 */
import { setImmediate as turn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { AccountColumns, ColumnCache, Stretch } from "../domain/column-cache.ts";
import { type Selection, selector } from "../domain/column-filter.ts";
import { type ColumnRow, type Columns, columnsOf, exchanged } from "../domain/columns.ts";
import { HAS_TAGS, tagIdsOf } from "../domain/facets.ts";
import { mayHold, SHORT_PER_LONG, STRETCHES, type StretchKind } from "../domain/stretches.ts";
import type { Tables } from "../tables/index.ts";
import { isPostgres } from "./dialect.ts";
import type { Wanted } from "./search.ts";
import { findPlacesByWords, selectFrom, sourcesOf } from "./search-conditions.ts";

type Db = Kysely<Tables>;
/** Rows of one step: a few milliseconds. */
const ROWS_AT_ONCE = 1_000;
/** Rows scanned before other requests are served. */
const LOOKED_AT_ONCE = 50_000;

/** By the number of the time range. */
async function stampsOf(
  db: Db,
  account: string,
  kind: StretchKind,
  { from, before }: { from: number; before: number },
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("contributions_stamp")
    .select(({ fn }) => ["stretch", fn.sum("stamp").as("stamp")])
    .where("account", "=", account)
    .where("kind", "=", kind)
    .where("stretch", ">=", from)
    .where("stretch", "<", before)
    .groupBy("stretch")
    .execute();
  return new Map(rows.map(({ stretch, stamp }) => [Number(stretch), Number(stamp)]));
}

type Writable<Row> = { -readonly [Name in keyof Row]: Row[Name] };
/** PostgreSQL returns these numbers as text. The rows belong to the caller, so they are changed in place. */
function columnRowOf(row: Writable<ColumnRow>): ColumnRow {
  row.place = Number(row.place);
  row.is_public = Number(row.is_public);
  row.images = Number(row.images);
  row.videos = Number(row.videos);
  if (row.tags !== null) row.tags = tagIdsOf(row.tags).sort().join(" ");
  return row;
}
const selectedOf = (db: Db) => {
  const within = sql.raw(isPostgres(db) ? "strpos" : "instr");
  return sql`c.place, c.assignment_id, c.owner_id, c.user_id, c.country, c.geohash, c.x, c.y, c.z, c.images,
    c.videos, c.state, c.is_public, case when ${within}(c.facets, ${HAS_TAGS}) > 0 then c.facets end as tags`;
};

/** Matching rows, lowest place first; undefined if there are more than `max`. */
export async function findColumnRows(
  db: Db,
  account: string,
  { filter, sight }: Wanted,
  max: number,
): Promise<ColumnRow[] | undefined> {
  const all = new Map<number, ColumnRow>();
  for (const source of sourcesOf(db, account, filter, sight)) {
    const { rows } = await sql<ColumnRow>`${selectFrom([source], () => selectedOf(db))}
      order by ${source.order} desc limit ${max + 1}`.execute(db);
    for (const row of rows.map(columnRowOf)) all.set(row.place, row);
    if (all.size > max) return undefined;
  }
  return [...all.values()].sort((a, b) => a.place - b.place);
}

/** All rows between two places. Other requests are served between the steps. */
async function readBetween(db: Db, account: string, first: number, end: number): Promise<ColumnRow[]> {
  const all: ColumnRow[] = [];
  for (let from = first; ; ) {
    const { rows } = await sql<ColumnRow>`select ${selectedOf(db)} from contributions_contribution c
      where c.account = ${account} and c.place >= ${from} and c.place < ${end} and c.deleted_at is null
      order by c.place limit ${ROWS_AT_ONCE}`.execute(db);
    for (const row of rows) all.push(columnRowOf(row));
    await turn();
    const last = all.at(-1);
    if (rows.length < ROWS_AT_ONCE || !last) return all;
    from = last.place + 1;
  }
}

/** Reads only the parts that changed. The stamp was read before the rows. */
async function readStretch(
  db: Db,
  account: string,
  kept: AccountColumns,
  { stretch, stamp }: { stretch: number; stamp: number },
): Promise<Stretch> {
  const from = stretch * SHORT_PER_LONG;
  const parts = await stampsOf(db, account, "short", { from, before: from + SHORT_PER_LONG });
  const known = kept.stretches.get(stretch);
  const changed = [...parts].filter(([part, now]) => known?.parts.get(part) !== now).map(([part]) => part);
  const read = async (first: number, end: number): Promise<Columns> =>
    columnsOf(await readBetween(db, account, first, end), kept.dictionaries);
  if (!known || changed.length > SHORT_PER_LONG / 4) {
    const first = stretch * STRETCHES.long;
    return { stamp, parts, columns: await read(first, first + STRETCHES.long) };
  }
  let { columns } = known;
  for (const part of changed) {
    const first = part * STRETCHES.short;
    const end = first + STRETCHES.short;
    columns = exchanged(columns, first, end, await read(first, end));
  }
  return { stamp, parts, columns };
}

/** Counts by an index alone, which costs little beside reading the rows. */
async function exceeds(
  db: Db,
  account: string,
  stretches: Iterable<number>,
  cache: ColumnCache,
): Promise<boolean> {
  let total = 0;
  for (const stretch of stretches) {
    const first = stretch * STRETCHES.long;
    const { rows } = await sql<{ count: number }>`select count(*) as count from contributions_contribution c
      where c.account = ${account} and c.place >= ${first} and c.place < ${first + STRETCHES.long}`.execute(
      db,
    );
    total += Number(rows[0]?.count ?? 0);
    if (total > cache.keptMax) return true;
    await turn();
  }
  return false;
}

/** Returns all time ranges, newest first. If they exceed the memory limit, none is cached. */
async function refresh(db: Db, account: string, cache: ColumnCache): Promise<readonly number[]> {
  const kept = cache.of(account);
  const stamps = await stampsOf(db, account, "long", { from: 0, before: Number.MAX_SAFE_INTEGER });
  const isNew = !kept.isKnown && !kept.isTooLarge;
  if (isNew && (await exceeds(db, account, stamps.keys(), cache))) kept.giveUp();
  for (const [stretch, stamp] of stamps) {
    if (kept.isTooLarge) break;
    if (kept.stretches.get(stretch)?.stamp === stamp) continue;
    const fresh = await readStretch(db, account, kept, { stretch, stamp });
    kept.forget(stretch);
    if (cache.hasRoomFor(account, fresh.columns.place.length)) kept.keep(stretch, fresh);
    else kept.giveUp();
  }
  kept.isKnown = !kept.isTooLarge;
  return [...stamps.keys()].sort((a, b) => b - a);
}

/** Reads everything that is not cached yet. */
export const readColumns = (db: Db, account: string, cache: ColumnCache): Promise<readonly number[]> =>
  cache.of(account).refresh(() => refresh(db, account, cache));

export type Found = { readonly columns: Columns; readonly selection: Selection };
/** Matches of one time range after another, newest first. `places`: matches of filters that have no column. */
export async function* selectedColumns(
  db: Db,
  account: string,
  cache: ColumnCache,
  { filter, sight }: Wanted,
  places: Float64Array | undefined,
): AsyncGenerator<Found> {
  const kept = cache.of(account);
  const stretches = await kept.refresh(() => refresh(db, account, cache));
  const snapshot = new Map(kept.stretches);
  let select = selector(kept.dictionaries, filter, sight, places);
  let looked = 0;
  for (const stretch of stretches.filter((number) => mayHold(number, filter))) {
    let columns = snapshot.get(stretch)?.columns;
    if (!columns) {
      ({ columns } = await readStretch(db, account, kept, { stretch, stamp: 0 }));
      // The last read may have added texts that had no number before.
      select = selector(kept.dictionaries, filter, sight, places);
    }
    yield { columns, selection: select(columns) };
    looked += columns.place.length;
    if (looked < LOOKED_AT_ONCE) continue;
    looked = 0;
    await turn();
  }
}

export type PageWanted = {
  readonly beforePlace?: number | undefined;
  readonly limit: number;
  readonly offset?: number;
};
/** Limit of word matches that are intersected with the columns. With more, the database finds the page. */
export const WITH_WORDS_MAX = 5_000;
/** The places of a page, newest first, and the total; undefined if the columns are not all in memory. */
export async function findPlacesByColumns(
  db: Db,
  account: string,
  cache: ColumnCache,
  wanted: Wanted,
  { beforePlace = Number.POSITIVE_INFINITY, limit, offset = 0 }: PageWanted,
): Promise<{ readonly places: readonly number[]; readonly total: number } | undefined> {
  if (!cache.isKnown(account)) return undefined;
  const withWords = await findPlacesByWords(db, account, wanted.filter, WITH_WORDS_MAX);
  if (withWords && withWords.length > WITH_WORDS_MAX) return undefined;
  const places: number[] = [];
  let total = 0;
  for await (const { columns, selection } of selectedColumns(db, account, cache, wanted, withWords)) {
    if (!cache.isKnown(account)) return undefined;
    total += selection.count;
    for (let i = selection.count - 1; i >= 0 && places.length < offset + limit; i -= 1) {
      const place = columns.place[selection.at[i] as number] as number;
      if (place < beforePlace) places.push(place);
    }
  }
  return { places: places.slice(offset), total };
}
