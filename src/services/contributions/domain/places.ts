/** The position of a contribution: given, from its media, or from a country's name; and its public form. */
import { findCountryAt, findCountryNamed, findMiddleOfCountry } from "./countries.ts";
import { GEOHASH_LENGTH_MAX, geohashOf, middleOf, type Position, type Vector, vectorOf } from "./globe.ts";

export type GivenPlace = {
  readonly name?: string | undefined;
  readonly country?: string | undefined;
  readonly geohash?: string | undefined;
  readonly position?: Position | undefined;
};
/** Exact positions are rounded to this: about a metre. */
const EXACT_GEOHASH_LENGTH = 10;

type Visible = { readonly position: Position; readonly geohash: string; readonly vector: Vector };
export type SettledPlace = {
  readonly exact: Position | undefined;
  readonly visible: Visible | undefined;
  readonly country: string | undefined;
};

/** `precision`: length of the public geohash, 0 for none; undefined for the exact position. */
export function findVisible(exact: Position | undefined, precision: number | undefined): Visible | undefined {
  if (exact === undefined || precision === 0) return undefined;
  const geohash = geohashOf(exact, Math.min(precision ?? EXACT_GEOHASH_LENGTH, GEOHASH_LENGTH_MAX));
  const position = precision === undefined ? exact : middleOf(geohash);
  return { position, geohash, vector: vectorOf(position) };
}
/** As stored in a row. */
export const columnsOfVisible = (visible: Visible | undefined) => ({
  latitude: visible?.position.latitude ?? null,
  longitude: visible?.position.longitude ?? null,
  geohash: visible?.geohash ?? null,
  x: visible?.vector.x ?? null,
  y: visible?.vector.y ?? null,
  z: visible?.vector.z ?? null,
});
type Placed = Readonly<
  Record<"exact_latitude" | "exact_longitude" | "latitude" | "longitude", number | null>
>;
/** Whether the public position is less exact. */
export const isBlurred = (row: Placed): boolean =>
  row.exact_latitude !== row.latitude || row.exact_longitude !== row.longitude;

export function settlePlace(
  given: GivenPlace,
  ofMedia: Position | undefined,
  precision: number | undefined,
): SettledPlace {
  const named = given.name === undefined ? undefined : findCountryNamed(given.name);
  const saidCountry = given.country ?? named;
  const exact =
    given.position ??
    (given.geohash === undefined ? undefined : middleOf(given.geohash)) ??
    ofMedia ??
    (saidCountry === undefined ? undefined : findMiddleOfCountry(saidCountry));
  const country = given.country ?? (exact === undefined ? named : (findCountryAt(exact) ?? named));
  return { exact, visible: findVisible(exact, precision), country };
}
