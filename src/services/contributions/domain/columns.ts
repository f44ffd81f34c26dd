/**
 * Contributions by columns instead of rows: what filters and counts look at, as numbers side by side. A million of them are looked
 * through in milliseconds. What is made once is never changed; a part of it is exchanged by making it anew.
 */
import { packedGeohash } from "./globe.ts";
import { STATES, type StateName } from "./moderation.ts";

/** What is read of each contribution. */
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
  /** Ids with blanks between them. */
  readonly tags: string | null;
};

/** Texts by numbers, as they are met. Zero stands for none. */
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
  /** The lowest first. */
  readonly place: Float64Array;
  readonly assignment: Uint32Array;
  readonly owner: Uint32Array;
  readonly user: Uint32Array;
  readonly country: Uint32Array;
  /** All tags of one together are one text. */
  readonly tags: Uint32Array;
  /** The first six letters of the geohash, the next six, and how many there are; none without a position. */
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
/** States are numbers above the other features. */
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

/** Of rows with the lowest place first. */
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

/** Where the first stands that is not below this place. */
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

/** With other ones from the place `first` on and below `end`. */
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
