/** Criteria over columns. Each condition narrows the selection. */
import type { Sight } from "./access.ts";
import {
  type Columns,
  type Dictionaries,
  HAS_IMAGE,
  HAS_VIDEO,
  IS_PUBLIC,
  positionOf,
  STATE_MASK,
  stateFeature,
} from "./columns.ts";
import { type Criterion, criteriaOf, placesOf, type SimpleCriterion, visibilityOf } from "./criteria.ts";
import type { Circle, Filter } from "./filter.ts";
import { chordSquaredOf, openBits, packedGeohash, vectorOf } from "./globe.ts";

/** Positions of the remaining rows. Only the first `count` entries of `at` are valid. */
export type Selection = { readonly at: Uint32Array; count: number };
type Condition = (columns: Columns, selection: Selection) => void;

const nothing: Condition = (_columns, selection) => {
  selection.count = 0;
};

/** A simple criterion: whether each number of a column is wanted (1) or not (0). */
type Lookup =
  | { readonly column: keyof Dictionaries; readonly size: "long"; readonly wanted: Uint8Array }
  | { readonly column: "features" | "cellLength"; readonly size: "short"; readonly wanted: Uint8Array };

const marksOf = (size: number, isWanted: (value: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: size }, (_, value) => (isWanted(value) ? 1 : 0));
const BYTES = 256;
const byFeatures = (isWanted: (features: number) => boolean): Lookup => ({
  column: "features",
  size: "short",
  wanted: marksOf(BYTES, isWanted),
});
/** Number zero stands for a missing value. It is never wanted, but not excluded either. */
function byCode(dictionaries: Dictionaries, column: keyof Dictionaries, values: readonly string[]): Lookup {
  const wanted = new Uint8Array(dictionaries[column].size);
  for (const value of values) {
    const code = dictionaries[column].findCode(value);
    if (code !== undefined) wanted[code] = 1;
  }
  return { column, size: "long", wanted };
}
function lookupOf(dictionaries: Dictionaries, criterion: SimpleCriterion): Lookup {
  switch (criterion.kind) {
    case "isOneOf":
      return byCode(dictionaries, criterion.property, criterion.values);
    case "isNoneOf": {
      const { column, wanted } = byCode(dictionaries, criterion.property, criterion.values);
      return { column, size: "long", wanted: wanted.map((mark) => 1 - mark) } as Lookup;
    }
    case "isPublic":
      return byFeatures((features) => (features & IS_PUBLIC) !== 0);
    case "hasState":
      return byFeatures((features) => (features & STATE_MASK) === stateFeature(criterion.state));
    case "hasMedia": {
      const bit = criterion.mediaType === "image" ? HAS_IMAGE : HAS_VIDEO;
      return byFeatures((features) => (features & bit) !== 0);
    }
    case "isLocated": {
      const wanted = marksOf(BYTES, (length) => length > 0 === criterion.isLocated);
      return { column: "cellLength", size: "short", wanted };
    }
    case "isTagged": {
      const { tags } = dictionaries;
      const isTagged = (code: number) => tags.textOf(code).split(" ").includes(criterion.tag);
      return { column: "tags", size: "long", wanted: marksOf(tags.size, isTagged) };
    }
  }
}

/**
 * The hot loops are written out and count without branches: which rows match is unpredictable, so a branch costs
 * several times the lookup. Each size of integer has its own loop, because V8 optimizes a loop poorly if it sees
 * several array types.
 */
function keepLong(values: Uint32Array, wanted: Uint8Array, selection: Selection): void {
  const { at, count } = selection;
  let kept = 0;
  for (let i = 0; i < count; i += 1) {
    const position = at[i] as number;
    at[kept] = position;
    kept += wanted[values[position] as number] as number;
  }
  selection.count = kept;
}
function keepShort(values: Uint8Array, wanted: Uint8Array, selection: Selection): void {
  const { at, count } = selection;
  let kept = 0;
  for (let i = 0; i < count; i += 1) {
    const position = at[i] as number;
    at[kept] = position;
    kept += wanted[values[position] as number] as number;
  }
  selection.count = kept;
}
function keep({ column, size, wanted }: Lookup): Condition {
  if (!wanted.includes(1)) return nothing;
  return (columns, selection) =>
    size === "long"
      ? keepLong(columns[column], wanted, selection)
      : keepShort(columns[column], wanted, selection);
}

/** One of several ways to fit: by features, and by the codes of other columns. */
type WayLookup = {
  readonly features: Uint8Array;
  readonly columns: readonly (keyof Dictionaries)[];
  readonly wanted: readonly Uint8Array[];
};
function wayOf(lookups: readonly Lookup[]): WayLookup {
  const [features, codes] = [new Uint8Array(BYTES).fill(1), new Map<keyof Dictionaries, Uint8Array>()];
  for (const { column, size, wanted } of lookups)
    if (size === "long")
      codes.set(
        column,
        wanted.map((mark, code) => mark & (codes.get(column)?.[code] ?? 1)),
      );
    else for (const [value, mark] of wanted.entries()) features[value] = mark & (features[value] as number);
  return { features, columns: [...codes.keys()], wanted: [...codes.values()] };
}
/** Most rows fit the first way, so its branch is predictable. */
function fitsOne(
  ways: readonly WayLookup[],
  values: readonly (readonly Uint32Array[])[],
  features: number,
  position: number,
): number {
  for (let number = 0; number < ways.length; number += 1) {
    const way = ways[number] as WayLookup;
    if (way.features[features] === 0) continue;
    const codes = values[number] as readonly Uint32Array[];
    let fitting = 0;
    while (
      fitting < codes.length &&
      (way.wanted[fitting] as Uint8Array)[(codes[fitting] as Uint32Array)[position] as number] === 1
    )
      fitting += 1;
    if (fitting === codes.length) return 1;
  }
  return 0;
}
const keepAny =
  (ways: readonly WayLookup[]): Condition =>
  (columns, selection) => {
    const { at, count } = selection;
    const { features } = columns;
    const values = ways.map((way) => way.columns.map((name) => columns[name]));
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const position = at[i] as number;
      at[kept] = position;
      kept += fitsOne(ways, values, features[position] as number, position);
    }
    selection.count = kept;
  };

/** A geohash, and the bits that it leaves open in both numbers. */
function prefixOf(geohash: string) {
  const open = openBits(geohash.length);
  const { first, rest } = packedGeohash(geohash);
  return {
    length: geohash.length,
    open: open.first,
    first: first >>> open.first,
    openRest: open.rest,
    rest: rest >>> open.rest,
  };
}
type Prefix = ReturnType<typeof prefixOf>;
function beginsWithOneOf(geohashes: readonly string[]): Condition {
  const [only, ...more] = geohashes.map(prefixOf);
  if (!only) return nothing;
  return more.length === 0 ? beginsWith(only) : beginsWithSome([only, ...more]);
}
/**
 * Few rows have this prefix, so the branch is predictable. A row without a position has length zero and matches
 * nothing.
 */
const beginsWith =
  ({ length, open, first, openRest, rest }: Prefix): Condition =>
  ({ cell, cellEnd, cellLength }, selection) => {
    const { at, count } = selection;
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const position = at[i] as number;
      if ((cell[position] as number) >>> open !== first) continue;
      const fits = (cellLength[position] as number) >= length;
      if (fits && (cellEnd[position] as number) >>> openRest === rest) at[kept++] = position;
    }
    selection.count = kept;
  };
function isBegunByOne(prefixes: readonly Prefix[], length: number, first: number, rest: number): boolean {
  for (let at = 0; at < prefixes.length; at += 1) {
    const prefix = prefixes[at] as Prefix;
    const fits = length >= prefix.length && first >>> prefix.open === prefix.first;
    if (fits && rest >>> prefix.openRest === prefix.rest) return true;
  }
  return false;
}
const beginsWithSome =
  (prefixes: readonly Prefix[]): Condition =>
  ({ cell, cellEnd, cellLength }, selection) => {
    const { at, count } = selection;
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const position = at[i] as number;
      const length = cellLength[position] as number;
      if (length === 0) continue;
      if (isBegunByOne(prefixes, length, cell[position] as number, cellEnd[position] as number))
        at[kept++] = position;
    }
    selection.count = kept;
  };

/** A row without a position is NaN and within no circle. */
function isWithin(circle: Circle): Condition {
  const centre = vectorOf(circle);
  const limit = chordSquaredOf(circle.radiusKilometres);
  return (columns, selection) => {
    const { at, count } = selection;
    const { x: xs, y: ys, z: zs } = columns;
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const position = at[i] as number;
      const z = (zs[position] as number) - centre.z;
      if (!(z * z <= limit)) continue;
      const x = (xs[position] as number) - centre.x;
      const y = (ys[position] as number) - centre.y;
      if (x * x + y * y + z * z <= limit) at[kept++] = position;
    }
    selection.count = kept;
  };
}

function conditionOf(dictionaries: Dictionaries, criterion: Criterion): Condition {
  switch (criterion.kind) {
    case "beginsWith":
      return beginsWithOneOf(criterion.geohashes);
    case "isWithin":
      return isWithin(criterion.circle);
    case "any": {
      const [[only, ...others] = [], ...more] = criterion.ways;
      if (only && others.length === 0 && more.length === 0) return conditionOf(dictionaries, only);
      return keepAny(criterion.ways.map((way) => wayOf(way.map((one) => lookupOf(dictionaries, one)))));
    }
    default:
      return keep(lookupOf(dictionaries, criterion));
  }
}

/**
 * Makes the first selection, of rows from one position to another. All selections share one buffer, so each is
 * valid until the next.
 */
type Beginning = (columns: Columns, from: number, to: number) => Selection;
function numbersBelow(end: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(end);
  for (let at = 0; at < end; at += 1) numbers[at] = at;
  return numbers;
}
function everyOne(): Beginning {
  let order = numbersBelow(0);
  let room = new Uint32Array(0);
  return (_columns, from, to) => {
    if (order.length < to) {
      order = numbersBelow(Math.max(to, 2 * order.length));
      room = new Uint32Array(order.length);
    }
    room.set(order.subarray(from, to));
    return { at: room, count: to - from };
  };
}
/** Intersects two sorted lists, lowest first. The places are few. */
function thoseAt(places: Float64Array): Beginning {
  const room = new Uint32Array(places.length);
  return (columns, from, to) => {
    let count = 0;
    const first = from < to ? (columns.place[from] as number) : Number.POSITIVE_INFINITY;
    for (let next = positionOf({ place: places }, first); next < places.length; next += 1) {
      const position = positionOf(columns, places[next] as number);
      if (position >= to) break;
      if (columns.place[position] === places[next]) room[count++] = position;
    }
    return { at: room, count };
  };
}

/** `places`: matches of words, ids and addresses, looked up elsewhere, lowest first. */
export function selector(
  dictionaries: Dictionaries,
  filter: Filter,
  sight: Sight,
  places: Float64Array | undefined,
): (columns: Columns) => Selection {
  const conditions = [...criteriaOf(filter), ...visibilityOf(sight)].map((criterion) =>
    conditionOf(dictionaries, criterion),
  );
  const range = placesOf(filter);
  const begin = places === undefined ? everyOne() : thoseAt(places);
  return (columns) => {
    const from = range.from === undefined ? 0 : positionOf(columns, range.from);
    const to = range.before === undefined ? columns.place.length : positionOf(columns, range.before);
    const selection = begin(columns, from, Math.max(from, to));
    for (const condition of conditions) if (selection.count > 0) condition(columns, selection);
    return selection;
  };
}
