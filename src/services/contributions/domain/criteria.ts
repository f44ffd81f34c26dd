/**
 * What filters and permissions mean, stated once. `store/search-conditions.ts` compiles the criteria to SQL, and
 * `column-filter.ts` compiles them to lookups in the columns.
 */
import type { Sight } from "./access.ts";
import type { Circle, Filter } from "./filter.ts";
import { firstPlaceOf } from "./order.ts";

/** Properties that are never missing can also be excluded. */
export type Property = "assignment" | "owner" | "user" | "country";
export type SimpleCriterion =
  | { readonly kind: "isOneOf"; readonly property: Property; readonly values: readonly string[] }
  | {
      readonly kind: "isNoneOf";
      readonly property: "assignment" | "owner";
      readonly values: readonly string[];
    }
  | { readonly kind: "isPublic" }
  | { readonly kind: "hasState"; readonly state: string }
  | { readonly kind: "hasMedia"; readonly mediaType: "image" | "video" }
  | { readonly kind: "isLocated"; readonly isLocated: boolean }
  | { readonly kind: "isTagged"; readonly tag: string };
export type Criterion =
  | SimpleCriterion
  /** The geohash has one of these prefixes. */
  | { readonly kind: "beginsWith"; readonly geohashes: readonly string[] }
  | { readonly kind: "isWithin"; readonly circle: Circle }
  /** All criteria of at least one way. */
  | { readonly kind: "any"; readonly ways: readonly Way[] };
export type Way = readonly Exclude<SimpleCriterion, { readonly kind: "isLocated" }>[];

const is = (property: Property, value: string | undefined): Way =>
  value === undefined ? [] : [{ kind: "isOneOf", property, values: [value] }];

/** What a caller may see. All criteria must hold. Deleted contributions are nowhere. */
export function visibilityOf(sight: Sight): readonly Criterion[] {
  const { goneAssignments: gone } = sight;
  const criteria: Criterion[] =
    gone.length === 0 ? [] : [{ kind: "isNoneOf", property: "assignment", values: gone }];
  if (sight.everything) return criteria;
  const { userId, hiddenAssignments: hidden, moderatedAssignments: moderated } = sight;
  const ways: Way[] = [
    [
      { kind: "isPublic" },
      ...(hidden.length === 0 ? [] : [{ kind: "isNoneOf", property: "assignment", values: hidden } as const]),
    ],
  ];
  if (userId !== undefined) ways.push(is("user", userId), is("owner", userId));
  if (moderated.length > 0) ways.push([{ kind: "isOneOf", property: "assignment", values: moderated }]);
  return [...criteria, { kind: "any", ways }];
}

/** What a filter wants, apart from words, ids, addresses and times. All criteria must hold. */
export function criteriaOf(filter: Filter): readonly Criterion[] {
  const { tags = [], mediaType, hasLocation, state, geohashes, circle } = filter;
  return [
    ...is("user", filter.user),
    ...is("assignment", filter.assignment),
    ...is("country", filter.country),
    ...is("owner", filter.ownedBy),
    ...tags.map((tag): Criterion => ({ kind: "isTagged", tag })),
    ...(mediaType === undefined ? [] : [{ kind: "hasMedia", mediaType } as const]),
    ...(hasLocation === undefined ? [] : [{ kind: "isLocated", isLocated: hasLocation } as const]),
    ...(state === undefined ? [] : [{ kind: "hasState", state } as const]),
    ...(geohashes === undefined ? [] : [{ kind: "beginsWith", geohashes } as const]),
    ...(circle === undefined ? [] : [{ kind: "isWithin", circle } as const]),
  ];
}

/** The places of a filter's times: from one, before the other. */
export const placesOf = ({
  createdFromMs,
  createdBeforeMs,
}: Filter): { readonly from: number | undefined; readonly before: number | undefined } => ({
  from: createdFromMs === undefined ? undefined : firstPlaceOf(createdFromMs),
  before: createdBeforeMs === undefined ? undefined : firstPlaceOf(createdBeforeMs),
});
