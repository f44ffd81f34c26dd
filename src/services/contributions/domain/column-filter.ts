/** Filters and permissions over columns. Each condition narrows the selection. */
import type { Sight } from "./access.ts";
import {
  type Columns,
  type Dictionaries,
  type Dictionary,
  HAS_IMAGE,
  HAS_VIDEO,
  IS_PUBLIC,
  positionOf,
  STATE_MASK,
  stateFeature,
} from "./columns.ts";
import type { Filter } from "./filter.ts";
import { chordSquaredOf, openBits, packedGeohash, vectorOf } from "./globe.ts";
import { firstPlaceOf } from "./order.ts";

/** Positions of the remaining rows. Only the first `count` entries of `at` are valid. */
export type Selection = { readonly at: Uint32Array; count: number };
type Condition = (columns: Columns, selection: Selection) => void;

const keep =
  (fits: (columns: Columns, at: number) => boolean): Condition =>
  (columns, selection) => {
    const { at, count } = selection;
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const position = at[i] as number;
      if (fits(columns, position)) at[kept++] = position;
    }
    selection.count = kept;
  };
const nothing: Condition = (_columns, selection) => {
  selection.count = 0;
};

/** 1 for zero, 0 for any other 32-bit integer. */
const isZero = (value: number): number => 1 ^ ((value | (0 - value)) >>> 31);
/**
 * The hot loops are written out and count without branches: which rows match is unpredictable, so a branch costs
 * several times the comparison. Each size of integer has its own loop, because V8 optimizes a loop poorly if it
 * sees several array types.
 */
const keepCode =
  (name: keyof Dictionaries, wanted: number): Condition =>
  (columns, selection) => {
    const { at, count } = selection;
    const values = columns[name];
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const position = at[i] as number;
      at[kept] = position;
      kept += isZero((values[position] as number) ^ wanted);
    }
    selection.count = kept;
  };
const keepBits =
  (name: "features" | "cellLength", wanted: number, mask: number): Condition =>
  (columns, selection) => {
    const { at, count } = selection;
    const values = columns[name];
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const position = at[i] as number;
      at[kept] = position;
      kept += isZero(((values[position] as number) & mask) ^ wanted);
    }
    selection.count = kept;
  };
const ALL_BITS = 255;
function isValue(
  dictionaries: Dictionaries,
  name: keyof Dictionaries,
  value: string | undefined,
): Condition[] {
  if (value === undefined) return [];
  const code = dictionaries[name].findCode(value);
  return [code === undefined ? nothing : keepCode(name, code)];
}
/** By code: 1 for the wanted ones. */
function marked(dictionary: Dictionary, values: readonly string[]): Uint8Array {
  const marks = new Uint8Array(dictionary.size);
  for (const value of values) {
    const code = dictionary.findCode(value);
    if (code !== undefined) marks[code] = 1;
  }
  return marks;
}

function hasTags({ tags: dictionary }: Dictionaries, wanted: readonly string[]): Condition {
  const marks = new Uint8Array(dictionary.size);
  for (let code = 1; code < dictionary.size; code += 1) {
    const tags = new Set(dictionary.textOf(code).split(" "));
    if (wanted.every((tag) => tags.has(tag))) marks[code] = 1;
  }
  return keep(({ tags }, at) => marks[tags[at] as number] === 1);
}

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
function isWithin(circle: NonNullable<Filter["circle"]>): Condition {
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

function sightConditions(dictionaries: Dictionaries, sight: Sight): Condition[] {
  const { assignment: assignments, owner: owners, user: users } = dictionaries;
  const conditions: Condition[] = [];
  if (sight.goneAssignments.length > 0) {
    const gone = marked(assignments, sight.goneAssignments);
    conditions.push(keep(({ assignment }, at) => gone[assignment[at] as number] !== 1));
  }
  if (sight.everything) return conditions;
  const { userId, hiddenAssignments, moderatedAssignments } = sight;
  const isStranger = userId === undefined && moderatedAssignments.length === 0;
  if (isStranger && hiddenAssignments.length === 0)
    return [...conditions, keepBits("features", IS_PUBLIC, IS_PUBLIC)];
  const hidden = marked(assignments, hiddenAssignments);
  const moderated = marked(assignments, moderatedAssignments);
  const me = userId === undefined ? undefined : users.findCode(userId);
  const mine = userId === undefined ? undefined : owners.findCode(userId);
  conditions.push(
    keep(
      ({ features, assignment, user, owner }, at) =>
        (((features[at] as number) & IS_PUBLIC) !== 0 && hidden[assignment[at] as number] !== 1) ||
        user[at] === me ||
        owner[at] === mine ||
        moderated[assignment[at] as number] === 1,
    ),
  );
  return conditions;
}

const isLocated: Condition = (columns, selection) => {
  const { at, count } = selection;
  const { cellLength } = columns;
  let kept = 0;
  for (let i = 0; i < count; i += 1) {
    const position = at[i] as number;
    at[kept] = position;
    kept += 1 - isZero(cellLength[position] as number);
  }
  selection.count = kept;
};
function featureConditions({ mediaType, hasLocation, state }: Filter): Condition[] {
  const bit = mediaType === "image" ? HAS_IMAGE : HAS_VIDEO;
  return [
    ...(mediaType === undefined ? [] : [keepBits("features", bit, bit)]),
    ...(hasLocation === undefined ? [] : [hasLocation ? isLocated : keepBits("cellLength", 0, ALL_BITS)]),
    ...(state === undefined ? [] : [keepBits("features", stateFeature(state), STATE_MASK)]),
  ];
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
  const { geohashes, circle, tags = [], createdFromMs, createdBeforeMs } = filter;
  const conditions = [
    ...isValue(dictionaries, "user", filter.user),
    ...isValue(dictionaries, "assignment", filter.assignment),
    ...isValue(dictionaries, "country", filter.country),
    ...isValue(dictionaries, "owner", filter.ownedBy),
    ...(tags.length === 0 ? [] : [hasTags(dictionaries, tags)]),
    ...featureConditions(filter),
    ...(geohashes === undefined ? [] : [beginsWithOneOf(geohashes)]),
    ...(circle === undefined ? [] : [isWithin(circle)]),
    ...sightConditions(dictionaries, sight),
  ];
  const begin = places === undefined ? everyOne() : thoseAt(places);
  return (columns) => {
    const from = createdFromMs === undefined ? 0 : positionOf(columns, firstPlaceOf(createdFromMs));
    const to =
      createdBeforeMs === undefined
        ? columns.place.length
        : positionOf(columns, firstPlaceOf(createdBeforeMs));
    const selection = begin(columns, from, Math.max(from, to));
    for (const condition of conditions) if (selection.count > 0) condition(columns, selection);
    return selection;
  };
}
