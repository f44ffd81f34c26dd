/** Columns compared with simple predicates over the same rows: matches, permissions and counts. */
import { expect, it } from "vitest";
import { random, rows, someFilter, someSight } from "../../../../tests/support/contribution-rows.ts";
import type { Sight } from "./access.ts";
import { AccountColumns, ColumnCache } from "./column-cache.ts";
import { RefinementCounts } from "./column-counts.ts";
import { selector } from "./column-filter.ts";
import { type ColumnRow, columnsOf, emptyDictionaries, exchanged } from "./columns.ts";
import type { Filter } from "./filter.ts";
import { chordSquaredOf, vectorOf } from "./globe.ts";
import { createdAtMsOf } from "./order.ts";

const isNear = (row: ColumnRow, circle: NonNullable<Filter["circle"]>): boolean => {
  const at = vectorOf(circle);
  if (row.x === null || row.y === null || row.z === null) return false;
  return (
    (row.x - at.x) ** 2 + (row.y - at.y) ** 2 + (row.z - at.z) ** 2 <= chordSquaredOf(circle.radiusKilometres)
  );
};
const fits: {
  readonly [Name in keyof Filter]-?: (row: ColumnRow, wanted: NonNullable<Filter[Name]>) => boolean;
} = {
  assignment: (row, wanted) => row.assignment_id === wanted,
  ownedBy: (row, wanted) => row.owner_id === wanted,
  user: (row, wanted) => row.user_id === wanted,
  country: (row, wanted) => row.country === wanted,
  createdFromMs: (row, wanted) => createdAtMsOf(row.place) >= wanted,
  createdBeforeMs: (row, wanted) => createdAtMsOf(row.place) < wanted,
  geohashes: (row, wanted) => wanted.some((prefix) => row.geohash?.startsWith(prefix)),
  hasLocation: (row, wanted) => (row.geohash !== null) === wanted,
  circle: isNear,
  mediaType: (row, wanted) => (wanted === "image" ? row.images : row.videos) > 0,
  tags: (row, wanted) => wanted.every((tag) => row.tags?.split(" ").includes(tag)),
  state: (row, wanted) => row.state === wanted,
  // Looked up elsewhere: the test gives their places.
  q: () => true,
  urlWords: () => true,
  ids: () => true,
};
function isSeen(row: ColumnRow, sight: Sight): boolean {
  if (sight.goneAssignments.includes(row.assignment_id)) return false;
  if (sight.everything) return true;
  const { userId, hiddenAssignments, moderatedAssignments } = sight;
  const isPublic = row.is_public === 1 && !hiddenAssignments.includes(row.assignment_id);
  const isTheirs = userId !== undefined && (row.user_id === userId || row.owner_id === userId);
  return isPublic || isTheirs || moderatedAssignments.includes(row.assignment_id);
}
const plainly = (filter: Filter, sight: Sight): ColumnRow[] =>
  rows.filter(
    (row) =>
      isSeen(row, sight) &&
      Object.entries(filter).every(([name, wanted]) =>
        (fits[name as keyof Filter] as (row: ColumnRow, wanted: unknown) => boolean)(row, wanted),
      ),
  );

it("leaves what fits all filters and may be seen, and nothing else", () => {
  const dictionaries = emptyDictionaries();
  const columns = columnsOf(rows, dictionaries);
  for (let turn = 0; turn < 500; turn += 1) {
    const filter = someFilter();
    const sight = someSight();
    const among = turn % 5 === 0 ? rows.filter(() => random() < 0.3).map(({ place }) => place) : undefined;
    const places = among && Float64Array.from(among);
    const { at, count } = selector(dictionaries, filter, sight, places)(columns);
    const found = [...at.subarray(0, count)].map((position) => columns.place[position]);
    const expected = plainly(filter, sight).map(({ place }) => place);
    expect([filter, sight, found]).toEqual([
      filter,
      sight,
      expected.filter((place) => among?.includes(place) ?? true),
    ]);
  }
});

it("counts days, cells and tags as one would by hand, the most frequent first", () => {
  const dictionaries = emptyDictionaries();
  const counts = new RefinementCounts(dictionaries, ["createdDay", "geohash", "tag", "mediaType"]);
  const sight: Sight = { everything: true, goneAssignments: [] };
  for (const some of [rows.slice(0, 250), rows.slice(250)]) {
    const columns = columnsOf(some, dictionaries);
    counts.add(columns, selector(dictionaries, {}, sight, undefined)(columns));
  }
  const expected = (valuesOf: (row: ColumnRow) => readonly string[]) => {
    const times = new Map<string, number>();
    for (const value of rows.flatMap(valuesOf)) times.set(value, (times.get(value) ?? 0) + 1);
    return [...times]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, 5);
  };
  const options = counts.options(5);
  expect(options.get("createdDay")).toEqual(
    expected((row) => [new Date(createdAtMsOf(row.place)).toISOString().slice(0, 10)]),
  );
  expect(options.get("geohash")).toEqual(expected((row) => (row.geohash ? [row.geohash.slice(0, 3)] : [])));
  expect(options.get("tag")).toEqual(expected((row) => row.tags?.split(" ") ?? []));
  expect(options.get("mediaType")).toEqual(
    expected((row) => [...(row.images > 0 ? ["image"] : []), ...(row.videos > 0 ? ["video"] : [])]),
  );
});

it("exchanges a part of the columns for what it is now", () => {
  const dictionaries = emptyDictionaries();
  const [from, to] = [rows[100]?.place ?? 0, rows[200]?.place ?? 0];
  const now = rows.slice(100, 200).filter((_, at) => at % 3 === 0);
  const changed = exchanged(columnsOf(rows, dictionaries), from, to, columnsOf(now, dictionaries));
  expect(changed).toEqual(columnsOf([...rows.slice(0, 100), ...now, ...rows.slice(200)], dictionaries));
});

it("keeps no more than there is room for, and forgets whom nobody asked for longest", () => {
  const cache = new ColumnCache(1_000);
  const stretch = { stamp: 1, parts: new Map(), columns: columnsOf(rows, emptyDictionaries()) };
  const hold = (account: string, number: number) => {
    const isRoom = cache.hasRoomFor(account, rows.length);
    if (isRoom) cache.of(account).keep(number, stretch);
    return isRoom;
  };
  expect(hold("one", 1)).toBe(true);
  expect(hold("one", 2)).toBe(false);
  expect(cache.of("one").size).toBe(rows.length);
  expect(hold("two", 1)).toBe(true);
  expect(cache.of("one").size).toBe(0);
});

it("refreshes one after another, and whoever waits shares the next", async () => {
  const columns = new AccountColumns();
  let begun = 0;
  const work = async () => {
    begun += 1;
    await Promise.resolve();
    return [begun];
  };
  const first = columns.refresh(work);
  await Promise.resolve();
  const [second, third] = [columns.refresh(work), columns.refresh(work)];
  expect([await first, await second, await third]).toEqual([[1], [2], [2]]);
});

it("keeps three million rows", () => {
  const cache = new ColumnCache();
  expect([3_000_000, 3_000_001].map((rows) => cache.hasRoomFor("any", rows))).toEqual([true, false]);
});
