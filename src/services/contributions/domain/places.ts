/** Where a contribution is: as given, from its media or from the name of a country, and what everybody sees of it. */
import { findCountryAt, findCountryNamed, findMiddleOfCountry } from "./countries.ts";
import { GEOHASH_LENGTH_MAX, geohashOf, middleOf, type Position, type Vector, vectorOf } from "./globe.ts";

export type GivenPlace = {
  readonly name?: string | undefined;
  readonly country?: string | undefined;
  readonly geohash?: string | undefined;
  readonly position?: Position | undefined;
};
/** Exact ones are told as finely as this: about a metre. */
const EXACT_GEOHASH_LENGTH = 10;

type Visible = { readonly position: Position; readonly geohash: string; readonly vector: Vector };
export type SettledPlace = {
  readonly exact: Position | undefined;
  readonly visible: Visible | undefined;
  readonly country: string | undefined;
};

/** `precision`: length of the geohash that everybody sees, 0 for none; undefined for the exact position. */
export function findVisible(exact: Position | undefined, precision: number | undefined): Visible | undefined {
  if (exact === undefined || precision === 0) return undefined;
  const geohash = geohashOf(exact, Math.min(precision ?? EXACT_GEOHASH_LENGTH, GEOHASH_LENGTH_MAX));
  const position = precision === undefined ? exact : middleOf(geohash);
  return { position, geohash, vector: vectorOf(position) };
}
/** As a row keeps it. */
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
/** Whether others see less of where it is than those who decide on it. */
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
