/** Positions on the globe: geohashes, great-circle distances, and the cells that a circle touches. */

export type Position = { readonly latitude: number; readonly longitude: number };
export type Vector = { readonly x: number; readonly y: number; readonly z: number };

const ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz";
export const GEOHASH_LENGTH_MAX = 12;
export const GEOHASH = /^[0-9b-hjkmnp-z]{1,12}$/;
const EARTH_RADIUS_KILOMETRES = 6371.0088;
export const HALF_ROUND_KILOMETRES = Math.PI * EARTH_RADIUS_KILOMETRES;
const KILOMETRES_PER_DEGREE = HALF_ROUND_KILOMETRES / 180;

type Cell = { south: number; north: number; west: number; east: number };
const world = (): Cell => ({ south: -90, north: 90, west: -180, east: 180 });
/** Bits alternate between longitude and latitude. */
const isEastward = (bit: number): boolean => bit % 2 === 0;
const halfway = (cell: Cell, bit: number): number =>
  isEastward(bit) ? (cell.west + cell.east) / 2 : (cell.south + cell.north) / 2;
function halve(cell: Cell, bit: number, isUpper: boolean): void {
  const middle = halfway(cell, bit);
  if (isEastward(bit)) cell[isUpper ? "west" : "east"] = middle;
  else cell[isUpper ? "south" : "north"] = middle;
}

export function geohashOf({ latitude, longitude }: Position, length: number): string {
  const cell = world();
  let hash = "";
  let letter = 0;
  for (let bit = 0; bit < length * 5; bit += 1) {
    const isUpper = (isEastward(bit) ? longitude : latitude) >= halfway(cell, bit);
    halve(cell, bit, isUpper);
    letter = letter * 2 + (isUpper ? 1 : 0);
    if (bit % 5 !== 4) continue;
    hash += ALPHABET[letter] ?? "";
    letter = 0;
  }
  return hash;
}

export function middleOf(geohash: string): Position {
  const cell = world();
  const values = [...geohash].map((letter) => ALPHABET.indexOf(letter));
  for (let bit = 0; bit < values.length * 5; bit += 1) {
    const value = values[Math.floor(bit / 5)] ?? 0;
    halve(cell, bit, Math.floor(value / 2 ** (4 - (bit % 5))) % 2 === 1);
  }
  return { latitude: (cell.south + cell.north) / 2, longitude: (cell.west + cell.east) / 2 };
}

const PACKED_LETTERS = 6;
const LETTERS = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, ALPHABET.indexOf(String.fromCharCode(code))),
);
const letterAt = (geohash: string, at: number): number =>
  at < geohash.length ? (LETTERS[geohash.charCodeAt(at)] ?? 0) : 0;
/**
 * One number for the first six letters and one for the rest. Missing letters count as the first letter of the
 * alphabet.
 */
export function packedGeohash(geohash: string): { readonly first: number; readonly rest: number } {
  let [first, rest] = [0, 0];
  for (let at = 0; at < PACKED_LETTERS; at += 1) {
    first = first * 32 + letterAt(geohash, at);
    rest = rest * 32 + letterAt(geohash, at + PACKED_LETTERS);
  }
  return { first, rest };
}
/** How many low bits of the two numbers a geohash of that length leaves open. */
export const openBits = (length: number): { readonly first: number; readonly rest: number } => ({
  first: 5 * Math.max(0, PACKED_LETTERS - length),
  rest: 5 * Math.min(PACKED_LETTERS, 2 * PACKED_LETTERS - length),
});
/** The first letters of such a number. */
export function unpackedGeohash(first: number, length: number): string {
  let letters = "";
  for (let at = 1; at <= Math.min(length, PACKED_LETTERS); at += 1)
    letters += ALPHABET[(first >>> (5 * (PACKED_LETTERS - at))) & 31] ?? "";
  return letters;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
export function vectorOf({ latitude, longitude }: Position): Vector {
  const ring = Math.cos(radians(latitude));
  return {
    x: ring * Math.cos(radians(longitude)),
    y: ring * Math.sin(radians(longitude)),
    z: Math.sin(radians(latitude)),
  };
}
/** The squared chord through the unit sphere for a distance on the surface. */
export function chordSquaredOf(kilometres: number): number {
  const half = Math.sin(Math.min(kilometres, HALF_ROUND_KILOMETRES) / EARTH_RADIUS_KILOMETRES / 2);
  return 4 * half * half;
}

/** Width and height of a cell in degrees, by the length of its geohash. */
const cellSize = (length: number): { width: number; height: number } => ({
  width: 360 / 2 ** Math.ceil((length * 5) / 2),
  height: 180 / 2 ** Math.floor((length * 5) / 2),
});
const CELLS_MAX = 40;
export const CELL_LENGTH_MAX = 6;

type Span = { south: number; north: number; west: number; width: number };
/** The bounding box of the circle; all longitudes if it reaches a pole. */
function spanOf({ latitude, longitude }: Position, radiusKilometres: number): Span {
  const reach = radiusKilometres / KILOMETRES_PER_DEGREE;
  const [south, north] = [latitude - reach, latitude + reach];
  const across = Math.sin(radians(Math.min(reach, 90))) / Math.cos(radians(latitude));
  if (south <= -90 || north >= 90 || across >= 1 || reach >= 90)
    return { south: Math.max(-90, south), north: Math.min(90, north), west: -180, width: 360 };
  const half = (Math.asin(across) * 180) / Math.PI;
  return { south, north, west: longitude - half, width: 2 * half };
}

const wrapped = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;

/** A few small cells that cover the circle; undefined if a full scan is as good. */
export function findCells(centre: Position, radiusKilometres: number): string[] | undefined {
  const { south, north, west, width } = spanOf(centre, radiusKilometres);
  for (let length = CELL_LENGTH_MAX; length >= 1; length -= 1) {
    const cell = cellSize(length);
    const rows = Math.ceil((north - south) / cell.height) + 1;
    const columns = Math.min(360 / cell.width, Math.ceil(width / cell.width) + 1);
    if (rows * columns > CELLS_MAX) continue;
    const cells = new Set<string>();
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < columns; column += 1) {
        const latitude = Math.min(south + row * cell.height, north);
        const longitude = wrapped(Math.min(west + column * cell.width, west + width));
        cells.add(geohashOf({ latitude, longitude }, length));
      }
    return [...cells];
  }
  return undefined;
}
