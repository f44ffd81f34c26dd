/** Everyday entities: numbers, dates, amounts, addresses; found by a public library, which is loaded when first needed. */
import type * as Suite from "@microsoft/recognizers-text-suite";
import { dateOf } from "#kernel/clock";

type RecognizerName =
  | "Number"
  | "Ordinal"
  | "Percentage"
  | "Age"
  | "Currency"
  | "Dimension"
  | "Temperature"
  | "DateTime"
  | "PhoneNumber"
  | "Email"
  | "URL";

const RECOGNIZER_OF: ReadonlyMap<string, RecognizerName> = new Map([
  ["number", "Number"],
  ["ordinal", "Ordinal"],
  ["ordinalV2", "Ordinal"],
  ["percentage", "Percentage"],
  ["age", "Age"],
  ["money", "Currency"],
  ["dimension", "Dimension"],
  ["temperature", "Temperature"],
  ["datetimeV2", "DateTime"],
  ["phonenumber", "PhoneNumber"],
  ["email", "Email"],
  ["url", "URL"],
]);

const EVERYWHERE = ["email", "phonenumber", "url"];
const NUMBERS = ["age", "money", "number", "ordinal", "percentage"];
const UNITS = ["dimension", "temperature"];
/** The entities that the library supports, by culture. */
const NAMES_OF_CULTURE: ReadonlyMap<string, readonly string[]> = new Map([
  ["en-us", [...NUMBERS, ...UNITS, "datetimeV2", "ordinalV2", ...EVERYWHERE]],
  ["fr-fr", [...NUMBERS, ...UNITS, "datetimeV2", ...EVERYWHERE]],
  ["es-es", [...NUMBERS, ...UNITS, "datetimeV2", ...EVERYWHERE]],
  ["zh-cn", [...NUMBERS, ...UNITS, "datetimeV2", ...EVERYWHERE]],
  ["pt-br", [...NUMBERS, ...UNITS, ...EVERYWHERE]],
  ["ja-jp", [...NUMBERS, ...EVERYWHERE]],
]);
/** Cultures that are served by the rules of a sister. */
const SISTERS: ReadonlyMap<string, string> = new Map([
  ["en-gb", "en-us"],
  ["fr-ca", "fr-fr"],
  ["es-mx", "es-es"],
]);

const ruleCultureOf = (culture: string): string => {
  const lower = culture.toLowerCase();
  return SISTERS.get(lower) ?? lower;
};

/** The extractors that are really there for a culture, by their public names. */
export function prebuiltNames(culture: string): readonly string[] {
  return [...(NAMES_OF_CULTURE.get(ruleCultureOf(culture)) ?? EVERYWHERE)].sort();
}

export type FoundPrebuilt = {
  readonly name: string;
  /** In UTF-16 units of the text; `end` is the first that no longer belongs to it. */
  readonly start: number;
  readonly end: number;
  /** The library's type: `datetimeV2.date`, `currency`. */
  readonly type: string;
  readonly resolution: Readonly<Record<string, unknown>>;
};

export type PrebuiltsWanted = {
  readonly culture: string;
  readonly names: readonly string[];
  readonly wallClockMs: number;
};

let suite: Promise<typeof Suite> | undefined;

/**
 * Finds entities of the given names. `wallClockMs` is the current local time of the speaker, as if in UTC.
 */
export async function findPrebuilts(
  text: string,
  { culture, names, wallClockMs }: PrebuiltsWanted,
): Promise<FoundPrebuilt[]> {
  suite ??= import("@microsoft/recognizers-text-suite");
  const library = await suite;
  const known = new Set(prebuiltNames(culture));
  const rules = ruleCultureOf(culture);
  return names
    .filter((name) => known.has(name))
    .flatMap((name) => recognize(library, name, text, rules, wallClockMs))
    .sort((one, other) => one.start - other.start || other.end - one.end);
}

function recognize(
  library: typeof Suite,
  name: string,
  text: string,
  culture: string,
  wallClockMs: number,
): FoundPrebuilt[] {
  const recognizer = RECOGNIZER_OF.get(name);
  if (!recognizer) return [];
  const found =
    recognizer === "DateTime"
      ? library.recognizeDateTime(text, culture, undefined, asLocalTime(wallClockMs))
      : library[`recognize${recognizer}`](text, culture);
  return found.map(({ start, end, typeName, resolution }) => ({
    name,
    start,
    end: end + 1,
    type: typeName,
    resolution: resolution ?? {},
  }));
}

/** The library reads the local hours of a date, so they are set to the speaker's. */
function asLocalTime(wallClockMs: number) {
  return dateOf(wallClockMs + dateOf(wallClockMs).getTimezoneOffset() * MS_PER_MINUTE);
}
const MS_PER_MINUTE = 60_000;
