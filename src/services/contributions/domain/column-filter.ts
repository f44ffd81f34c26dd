/** The filter set and a caller's sight, over columns: one condition after another leaves fewer. */
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

/** Positions of those that are left; only the first `count` of `at` stand for something. */
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

/** Both have the lowest first. */
const isAmong =
  (places: Float64Array): Condition =>
  ({ place }, selection) => {
    const { at, count } = selection;
    let next = positionOf({ place: places }, place[at[0] as number] as number);
    let kept = 0;
    for (let i = 0; i < count && next < places.length; i += 1) {
      const here = place[at[i] as number] as number;
      while (next < places.length && (places[next] as number) < here) next += 1;
      if (places[next] === here) at[kept++] = at[i] as number;
    }
    selection.count = kept;
  };

/** The loops that most filters come to are written out: a call for each row takes several times as long. */
const keepEqual =
  (name: keyof Dictionaries | "features" | "cellLength", wanted: number, mask: number): Condition =>
  (columns, selection) => {
    const { at, count } = selection;
    const values = columns[name];
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const position = at[i] as number;
      if (((values[position] as number) & mask) === wanted) at[kept++] = position;
    }
    selection.count = kept;
  };
const ALL_BITS = 0x7fffffff;
function isValue(
  dictionaries: Dictionaries,
  name: keyof Dictionaries,
  value: string | undefined,
): Condition[] {
  if (value === undefined) return [];
  const code = dictionaries[name].findCode(value);
  return [code === undefined ? nothing : keepEqual(name, code, ALL_BITS)];
}
/** By code, 1 for those that are meant. */
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

/** A geohash and what it leaves open of both numbers. */
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
function isBegunByOne(prefixes: readonly Prefix[], length: number, first: number, rest: number): boolean {
  for (let at = 0; at < prefixes.length; at += 1) {
    const prefix = prefixes[at] as Prefix;
    const fits = length >= prefix.length && first >>> prefix.open === prefix.first;
    if (fits && rest >>> prefix.openRest === prefix.rest) return true;
  }
  return false;
}
function beginsWithOneOf(geohashes: readonly string[]): Condition {
  const prefixes = geohashes.map(prefixOf);
  return ({ cell, cellEnd, cellLength }, selection) => {
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
}

/** What has no position is no number, and within nothing. */
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
    if (cellLength[position] !== 0) at[kept++] = position;
  }
  selection.count = kept;
};
function featureConditions({ mediaType, hasLocation, state }: Filter): Condition[] {
  const bit = mediaType === "image" ? HAS_IMAGE : HAS_VIDEO;
  return [
    ...(mediaType === undefined ? [] : [keepEqual("features", bit, bit)]),
    ...(hasLocation === undefined ? [] : [hasLocation ? isLocated : keepEqual("cellLength", 0, ALL_BITS)]),
    ...(state === undefined ? [] : [keepEqual("features", stateFeature(state), STATE_MASK)]),
  ];
}

/** Answers are in one room: each holds until the next. `places`: what words, ids and addresses ask for, looked up elsewhere, the lowest first. */
export function selector(
  dictionaries: Dictionaries,
  filter: Filter,
  sight: Sight,
  places: Float64Array | undefined,
): (columns: Columns) => Selection {
  const { geohashes, circle, tags = [], createdFromMs, createdBeforeMs } = filter;
  const conditions = [
    ...(places === undefined ? [] : [isAmong(places)]),
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
  let order = new Uint32Array(0);
  let room = new Uint32Array(0);
  return (columns) => {
    const from = createdFromMs === undefined ? 0 : positionOf(columns, firstPlaceOf(createdFromMs));
    const to =
      createdBeforeMs === undefined
        ? columns.place.length
        : positionOf(columns, firstPlaceOf(createdBeforeMs));
    const count = Math.max(0, to - from);
    if (order.length < to) order = Uint32Array.from({ length: to }, (_, at) => at);
    if (room.length < count) room = new Uint32Array(count);
    room.set(order.subarray(from, from + count));
    const selection: Selection = { at: room, count };
    for (const condition of conditions) if (selection.count > 0) condition(columns, selection);
    return selection;
  };
}
