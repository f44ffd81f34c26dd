/** The filters as query parameters, and their parsing. */
import { type Static, Type } from "@sinclair/typebox";
import { isoOf, parseInstant } from "#kernel/clock";
import type { Filter } from "../domain/filter.ts";
import { GEOHASH, HALF_ROUND_KILOMETRES } from "../domain/globe.ts";
import { errors } from "../errors.ts";
import { StateId } from "./contributions.ts";
import { given } from "./texts.ts";

const LISTED_MAX = 100;
const RADIUS_KILOMETRES = 10;
const DEGREES = /^[+-]?\d{1,3}(\.\d{0,30})?(e-\d{1,2})?$/;
const text = (description: string, example: string, maxLength = 200) =>
  given(Type.String({ minLength: 1, maxLength, description, examples: [example] }));
const instant = (description: string) =>
  given(Type.String({ format: "date-time", maxLength: 40, description, examples: ["2030-05-01T08:00:00Z"] }));

/** The filters of lists, refinements, summaries and exports. */
export const filterParameters = {
  assignment: text("Of this assignment.", "asg_1m7fqc7680000eyv1bw2px5", 64),
  country: given(
    Type.String({
      pattern: "^[A-Za-z]{2}$",
      description: "In this country, by two letters.",
      examples: ["FR"],
    }),
  ),
  createdBefore: instant("Made before then."),
  createdAfter: instant("Made after then."),
  geohash: text(
    "Publicly visible within these cells: one geohash, or several with commas.",
    "u05,gcpv",
    1300,
  ),
  hasLocation: given(
    Type.Boolean({ description: "Whether it has a publicly visible location.", examples: [true] }),
  ),
  latLong: text("Around this point: latitude, comma, longitude.", "51.5,-0.12", 60),
  radius: given(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: Math.ceil(HALF_ROUND_KILOMETRES),
      description: "How far around the point, in kilometres; 10 where it is missing.",
      examples: [25],
    }),
  ),
  mediaType: given(
    Type.Union([Type.Literal("image"), Type.Literal("video")], {
      description: "With a picture, or with a film.",
      examples: ["image"],
    }),
  ),
  ownedBy: text("Of this person's assignments.", "usr_1m7fqc7680000eyv1bw2px5", 64),
  q: text("Words of the headline, or their beginnings.", "brid morning", 500),
  urlWords: text("Spelt so in addresses.", "the-bridge-this-morning"),
  user: text("By this person.", "usr_1m7fqc7680000eyv1bw2px5", 64),
  tags: text("With all of these tags, by their ids and with commas.", "tag_1m7fqc7680000eyv1bw2px5", 1400),
  moderationState: given(StateId),
};
const FilterQuery = Type.Object(filterParameters);
/** For the list only. */
export const listFilterParameters = {
  ...filterParameters,
  createdDay: given(
    Type.String({
      pattern: "^\\d{4}-\\d{2}-\\d{2}$",
      description: "Made on this day, in UTC.",
      examples: ["2030-05-01"],
    }),
  ),
  createdMonth: given(
    Type.String({
      pattern: "^\\d{4}-\\d{2}$",
      description: "Made in this month, in UTC.",
      examples: ["2030-05"],
    }),
  ),
  ids: text("These alone, with commas.", "1m7fqc7680000eyv1bw2px5", 6500),
};
const ListFilterQuery = Type.Object(listFilterParameters);

const wrong = (target: string, message: string) => errors.invalid(message, { target });
function listed(name: string, value: string): string[] {
  const parts = value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length > LISTED_MAX) throw wrong(name, `${name} names ${LISTED_MAX} at the most.`);
  return [...new Set(parts)];
}

function instantOf(name: string, text: string): number {
  const ms = parseInstant(text);
  if (ms === undefined) throw wrong(name, `${name} must be a time such as 2030-05-01T08:00:00Z.`);
  return ms;
}

type Range = { fromMs: number; beforeMs: number };
function dayOf(text: string): Range {
  const fromMs = parseInstant(`${text}T00:00:00Z`);
  if (fromMs === undefined || !isoOf(fromMs).startsWith(text))
    throw wrong("createdDay", "createdDay must be a day such as 2030-05-01.");
  return { fromMs, beforeMs: fromMs + 86_400_000 };
}
function monthOf(text: string): Range {
  const fromMs = parseInstant(`${text}-01T00:00:00Z`);
  if (fromMs === undefined) throw wrong("createdMonth", "createdMonth must be a month such as 2030-05.");
  const [year = 0, month = 1] = text.split("-").map(Number);
  const next = month === 12 ? [year + 1, 1] : [year, month + 1];
  const [nextYear, nextMonth] = next.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, "0"));
  return { fromMs, beforeMs: parseInstant(`${nextYear}-${nextMonth}-01T00:00:00Z`) ?? fromMs };
}
/** The intersection of all time parameters. */
function timesOf(query: Partial<Static<typeof ListFilterQuery>>) {
  const { createdBefore, createdAfter, createdDay, createdMonth } = query;
  const ranges: Partial<Range>[] = [];
  if (createdBefore !== undefined) ranges.push({ beforeMs: instantOf("createdBefore", createdBefore) });
  if (createdAfter !== undefined) ranges.push({ fromMs: instantOf("createdAfter", createdAfter) + 1 });
  if (createdDay !== undefined) ranges.push(dayOf(createdDay));
  if (createdMonth !== undefined) ranges.push(monthOf(createdMonth));
  const froms = ranges.flatMap(({ fromMs }) => fromMs ?? []);
  const befores = ranges.flatMap(({ beforeMs }) => beforeMs ?? []);
  return {
    ...(froms.length > 0 && { createdFromMs: Math.max(...froms) }),
    ...(befores.length > 0 && { createdBeforeMs: Math.min(...befores) }),
  };
}

function circleOf({ latLong, radius }: Partial<Static<typeof FilterQuery>>): Filter["circle"] {
  if (latLong === undefined) {
    if (radius !== undefined) throw wrong("radius", "radius needs latLong.");
    return undefined;
  }
  const [latitude = Number.NaN, longitude = Number.NaN, ...more] = latLong
    .split(",")
    .map((part) => (DEGREES.test(part.trim()) ? Number(part) : Number.NaN));
  const isPosition = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && more.length === 0;
  if (!isPosition) throw wrong("latLong", "latLong must be a latitude and a longitude, such as 51.5,-0.12.");
  return { latitude, longitude, radiusKilometres: radius ?? RADIUS_KILOMETRES };
}

function geohashesOf(text: string): string[] {
  const geohashes = listed("geohash", text.toLowerCase());
  if (geohashes.length === 0 || geohashes.some((one) => !GEOHASH.test(one)))
    throw wrong("geohash", "geohash must be geohashes of 1 to 12 letters, with commas.");
  return geohashes;
}
/** Without the members that are undefined. */
const present = (members: { readonly [Name in keyof Filter]: Filter[Name] | undefined }): Filter =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

export function readFilter(query: Partial<Static<typeof ListFilterQuery>>): Filter {
  const { assignment, hasLocation, mediaType, ownedBy, urlWords, user, q } = query;
  const { country, geohash, tags, ids, moderationState: state } = query;
  return {
    ...present({ assignment, hasLocation, mediaType, ownedBy, urlWords, user, q, state }),
    ...timesOf(query),
    ...present({
      country: country?.toUpperCase(),
      geohashes: geohash === undefined ? undefined : geohashesOf(geohash),
      circle: circleOf(query),
      ids: ids === undefined ? undefined : listed("ids", ids),
      tags: tags === undefined ? undefined : listed("tags", tags),
    }),
  };
}
