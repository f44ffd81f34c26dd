/** Countries: the country of a position, and the position of a named country. */
import { packageOnUse } from "#kernel/packages";
import type { Position } from "./globe.ts";
import { fold } from "./words.ts";

const atlas = packageOnUse<typeof import("@rapideditor/country-coder")>("@rapideditor/country-coder");

/** Languages in which country names are recognised. */
const LANGUAGES = [
  "en",
  "de",
  "fr",
  "es",
  "pt",
  "it",
  "nl",
  "pl",
  "sv",
  "da",
  "nb",
  "fi",
  "cs",
  "hu",
  "ro",
  "el",
  "tr",
  "ru",
  "uk",
  "ar",
  "he",
  "fa",
  "hi",
  "bn",
  "ur",
  "th",
  "vi",
  "id",
  "zh",
  "ja",
  "ko",
] as const;
const CODE = /^[A-Z]{2}$/;
const NOT_LETTERS = /[^\p{L}\p{N}]+/gu;
const nameKey = (name: string): string => fold(name).replace(NOT_LETTERS, " ").trim();

let codes: readonly string[] | undefined;
export function countryCodes(): readonly string[] {
  if (codes === undefined) {
    const features = atlas().borders.features as readonly {
      readonly properties: { readonly iso1A2?: string };
    }[];
    const found = new Set(features.map(({ properties }) => properties.iso1A2 ?? ""));
    codes = [...found].filter((code) => CODE.test(code)).sort();
  }
  return codes;
}

/** Undefined at sea. */
export const findCountryAt = ({ latitude, longitude }: Position): string | undefined =>
  atlas().iso1A2Code([longitude, latitude]) ?? undefined;

let byName: ReadonlyMap<string, string> | undefined;
function namesOfCountries(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const language of LANGUAGES) {
    const told = new Intl.DisplayNames([language], { type: "region" });
    for (const code of countryCodes()) {
      const name = told.of(code);
      if (name !== undefined && name !== code && !names.has(nameKey(name))) names.set(nameKey(name), code);
    }
  }
  return names;
}
/** By name in one of many languages, by two-letter code, or as the last part of a longer place: "Lyon, France". */
export function findCountryNamed(place: string): string | undefined {
  byName ??= namesOfCountries();
  for (const part of [place, place.split(",").at(-1) ?? ""]) {
    const upper = part.trim().toUpperCase();
    if (CODE.test(upper) && countryCodes().includes(upper)) return upper;
    const found = byName.get(nameKey(part));
    if (found !== undefined) return found;
  }
  return undefined;
}

type Ring = readonly (readonly number[])[];
/** Twice the area, and the centroid. */
function balanceOf(ring: Ring): { area: number; middle: Position } {
  let area = 0;
  let [sumLongitude, sumLatitude] = [0, 0];
  for (let at = 0; at + 1 < ring.length; at += 1) {
    const [west = 0, south = 0] = ring[at] ?? [];
    const [east = 0, north = 0] = ring[at + 1] ?? [];
    const cross = west * north - east * south;
    area += cross;
    sumLongitude += (west + east) * cross;
    sumLatitude += (south + north) * cross;
  }
  const middle = { latitude: sumLatitude / (3 * area), longitude: sumLongitude / (3 * area) };
  // A degree of longitude is shorter far from the equator.
  const narrowing = Math.cos((middle.latitude * Math.PI) / 180);
  return { area: Math.abs(area) * narrowing, middle };
}
/**
 * The centroid of a country's main part. Outlines reach far into the sea around small islands, but with few corners; coasts
 * and borders near people have many. So both count.
 */
export function findMiddleOfCountry(code: string): Position | undefined {
  const polygons = atlas().aggregateFeature(code)?.geometry?.coordinates ?? [];
  let main: { weight: number; middle: Position } | undefined;
  for (const [ring = []] of polygons) {
    const { area, middle } = balanceOf(ring);
    const weight = ring.length * Math.sqrt(area);
    if (main === undefined || weight > main.weight) main = { weight, middle };
  }
  return main?.middle;
}
