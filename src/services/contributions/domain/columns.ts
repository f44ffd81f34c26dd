/**
 * Contributions as columns: the values for filters and counts, in typed arrays. A scan over a million takes
 * milliseconds. Columns are immutable; a changed part is replaced by a new one.
 */
import { packedGeohash } from "./globe.ts";
import { STATES, type StateName } from "./moderation.ts";

/** The columns that are read of each contribution. */
export type ColumnRow = {
  readonly place: number;
  readonly assignment_id: string;
  readonly owner_id: string;
  readonly user_id: string | null;
  readonly country: string | null;
  readonly geohash: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly z: number | null;
  readonly images: number;
  readonly videos: number;
  readonly state: string;
  readonly is_public: number;
  /** Ids separated by spaces. */
  readonly tags: string | null;
};

/** A dictionary from texts to numbers, in order of appearance. Zero means none. */
export class Dictionary {
  readonly #codes = new Map<string, number>();
  readonly #texts: string[] = [""];
  get size(): number {
    return this.#texts.length;
  }
  codeOf(text: string | null): number {
    if (text === null) return 0;
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    this.#codes.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
  findCode(text: string): number | undefined {
    return this.#codes.get(text);
  }
  textOf(code: number): string {
    return this.#texts[code] ?? "";
  }
}
export type Dictionaries = Readonly<Record<"assignment" | "owner" | "user" | "country" | "tags", Dictionary>>;
export const emptyDictionaries = (): Dictionaries => ({
  assignment: new Dictionary(),
  owner: new Dictionary(),
  user: new Dictionary(),
  country: new Dictionary(),
  tags: new Dictionary(),
});

export type Columns = {
  /** Lowest first. */
  readonly place: Float64Array;
  readonly assignment: Uint32Array;
  readonly owner: Uint32Array;
  readonly user: Uint32Array;
  readonly country: Uint32Array;
  /** All tags of a row together are one text. */
  readonly tags: Uint32Array;
  /** Letters 1 to 6 of the geohash, letters 7 to 12, and its length; zero without a position. */
  readonly cell: Uint32Array;
  readonly cellEnd: Uint32Array;
  readonly cellLength: Uint8Array;
  readonly features: Uint8Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
};
export const HAS_IMAGE = 1;
export const HAS_VIDEO = 2;
export const IS_PUBLIC = 4;
/** The state is stored in the bits above the other flags. */
const STATE_UNIT = 8;
export const STATE_MASK = 255 - (HAS_IMAGE | HAS_VIDEO | IS_PUBLIC);
export const stateFeature = (state: string): number => STATES.indexOf(state as StateName) * STATE_UNIT;

const roomFor = (size: number): Columns => ({
  place: new Float64Array(size),
  assignment: new Uint32Array(size),
  owner: new Uint32Array(size),
  user: new Uint32Array(size),
  country: new Uint32Array(size),
  tags: new Uint32Array(size),
  cell: new Uint32Array(size),
  cellEnd: new Uint32Array(size),
  cellLength: new Uint8Array(size),
  features: new Uint8Array(size),
  x: new Float64Array(size),
  y: new Float64Array(size),
  z: new Float64Array(size),
});
export const noColumns = roomFor(0);
const NAMES = Object.keys(noColumns) as readonly (keyof Columns)[];

/** The rows must be sorted by place, lowest first. */
export function columnsOf(rows: readonly ColumnRow[], dictionaries: Dictionaries): Columns {
  const columns = roomFor(rows.length);
  for (const [at, row] of rows.entries()) {
    columns.place[at] = row.place;
    columns.assignment[at] = dictionaries.assignment.codeOf(row.assignment_id);
    columns.owner[at] = dictionaries.owner.codeOf(row.owner_id);
    columns.user[at] = dictionaries.user.codeOf(row.user_id);
    columns.country[at] = dictionaries.country.codeOf(row.country);
    columns.tags[at] = dictionaries.tags.codeOf(row.tags);
    columns.features[at] =
      (row.images > 0 ? HAS_IMAGE : 0) |
      (row.videos > 0 ? HAS_VIDEO : 0) |
      (row.is_public === 1 ? IS_PUBLIC : 0) |
      stateFeature(row.state);
    columns.x[at] = row.x ?? Number.NaN;
    columns.y[at] = row.y ?? Number.NaN;
    columns.z[at] = row.z ?? Number.NaN;
    if (row.geohash === null) continue;
    const { first, rest } = packedGeohash(row.geohash);
    columns.cell[at] = first;
    columns.cellEnd[at] = rest;
    columns.cellLength[at] = row.geohash.length;
  }
  return columns;
}

/** The index of the first row at or above this place. */
export function positionOf({ place }: Pick<Columns, "place">, wanted: number): number {
  let low = 0;
  let high = place.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((place[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Replaces the rows from the place `first` up to, but not including, `end`. */
export function exchanged(columns: Columns, first: number, end: number, others: Columns): Columns {
  const from = positionOf(columns, first);
  const to = positionOf(columns, end);
  const size = columns.place.length;
  const all = roomFor(size - (to - from) + others.place.length);
  for (const name of NAMES) {
    all[name].set(columns[name].subarray(0, from), 0);
    all[name].set(others[name], from);
    all[name].set(columns[name].subarray(to), from + others.place.length);
  }
  return all;
}
