/** Counts of contributions by property, over columns. */
import { isoOf } from "#kernel/clock";
import type { Selection } from "./column-filter.ts";
import { type Columns, type Dictionaries, HAS_IMAGE, HAS_VIDEO } from "./columns.ts";
import { unpackedGeohash } from "./globe.ts";
import { createdAtMsOf, firstPlaceOf } from "./order.ts";
import { type Option, REFINED_GEOHASH_LENGTH, type Refinement } from "./refinements.ts";

const DAY_MS = 86_400_000;
const DAY_LENGTH = 10;
const MONTH_LENGTH = 7;

type Counts = Map<string, number>;
const count = (counts: Counts, value: string, times: number): void => {
  if (times > 0) counts.set(value, (counts.get(value) ?? 0) + times);
};
/** Adds one part of the columns after another. */
type Tally = {
  add(columns: Columns, selection: Selection): void;
  counts(): Counts;
};

function tallyOfCodes(dictionaries: Dictionaries, name: keyof Dictionaries): Tally {
  const dictionary = dictionaries[name];
  let times = new Uint32Array(dictionary.size);
  return {
    add(columns, { at, count: size }) {
      if (times.length < dictionary.size) {
        const larger = new Uint32Array(dictionary.size);
        larger.set(times);
        times = larger;
      }
      const codes = columns[name];
      for (let i = 0; i < size; i += 1) {
        const code = codes[at[i] as number] as number;
        times[code] = (times[code] as number) + 1;
      }
    },
    counts() {
      const counts: Counts = new Map();
      for (let code = 1; code < times.length; code += 1)
        count(counts, dictionary.textOf(code), times[code] as number);
      return counts;
    },
  };
}
function tallyOfTags(dictionaries: Dictionaries): Tally {
  const together = tallyOfCodes(dictionaries, "tags");
  return {
    add: together.add,
    counts() {
      const counts: Counts = new Map();
      for (const [tags, times] of together.counts())
        for (const tag of tags.split(" ")) count(counts, tag, times);
      return counts;
    },
  };
}
/** For days and months. Neighbouring places are mostly of one day, so a whole run is counted at once. */
function tallyOfDays(length: number): Tally {
  const days = new Map<number, number>();
  return {
    add({ place }, { at, count: size }) {
      for (let i = 0; i < size; ) {
        const day = Math.floor(createdAtMsOf(place[at[i] as number] as number) / DAY_MS);
        const nextDay = firstPlaceOf((day + 1) * DAY_MS);
        let end = i + 1;
        while (end < size && (place[at[end] as number] as number) < nextDay) end += 1;
        days.set(day, (days.get(day) ?? 0) + end - i);
        i = end;
      }
    },
    counts() {
      const counts: Counts = new Map();
      for (const [day, times] of days) count(counts, isoOf(day * DAY_MS).slice(0, length), times);
      return counts;
    },
  };
}
const CELLS = 32 ** REFINED_GEOHASH_LENGTH;
/** By the length of the geohash, then by its letters. */
function tallyOfCells(): Tally {
  const times = new Uint32Array(CELLS * REFINED_GEOHASH_LENGTH);
  const openBits = 30 - 5 * REFINED_GEOHASH_LENGTH;
  return {
    add({ cell, cellLength }, { at, count: size }) {
      for (let i = 0; i < size; i += 1) {
        const position = at[i] as number;
        const length = Math.min(cellLength[position] as number, REFINED_GEOHASH_LENGTH);
        if (length === 0) continue;
        const entry = (length - 1) * CELLS + ((cell[position] as number) >>> openBits);
        times[entry] = (times[entry] as number) + 1;
      }
    },
    counts() {
      const counts: Counts = new Map();
      for (let at = 0; at < times.length; at += 1)
        if (times[at] !== 0)
          count(
            counts,
            unpackedGeohash((at % CELLS) << openBits, Math.floor(at / CELLS) + 1),
            times[at] as number,
          );
      return counts;
    },
  };
}
/** For properties with few values: each part of the columns adds to the counters. */
function tallyOf(
  values: readonly string[],
  timesIn: (columns: Columns, selection: Selection) => readonly number[],
): Tally {
  const times = values.map(() => 0);
  return {
    add(columns, selection) {
      for (const [at, more] of timesIn(columns, selection).entries()) times[at] = (times[at] ?? 0) + more;
    },
    counts() {
      const counts: Counts = new Map();
      for (const [at, value] of values.entries()) count(counts, value, times[at] ?? 0);
      return counts;
    },
  };
}
const tallyOfLocated = (): Tally =>
  tallyOf(["true", "false"], ({ cellLength }, { at, count: size }) => {
    let located = 0;
    for (let i = 0; i < size; i += 1) if (cellLength[at[i] as number] !== 0) located += 1;
    return [located, size - located];
  });
const tallyOfMedia = (): Tally =>
  tallyOf(["image", "video"], ({ features }, { at, count: size }) => {
    let [images, videos] = [0, 0];
    for (let i = 0; i < size; i += 1) {
      const some = features[at[i] as number] as number;
      if ((some & HAS_IMAGE) !== 0) images += 1;
      if ((some & HAS_VIDEO) !== 0) videos += 1;
    }
    return [images, videos];
  });

const tallies: Readonly<Record<Refinement, (dictionaries: Dictionaries) => Tally>> = {
  assignment: (dictionaries) => tallyOfCodes(dictionaries, "assignment"),
  country: (dictionaries) => tallyOfCodes(dictionaries, "country"),
  createdDay: () => tallyOfDays(DAY_LENGTH),
  createdMonth: () => tallyOfDays(MONTH_LENGTH),
  geohash: () => tallyOfCells(),
  hasLocation: tallyOfLocated,
  mediaType: tallyOfMedia,
  ownedBy: (dictionaries) => tallyOfCodes(dictionaries, "owner"),
  tag: tallyOfTags,
  user: (dictionaries) => tallyOfCodes(dictionaries, "user"),
};

/** Most frequent first; equal counts by value. */
function optionsOf(counts: Counts, limit: number): Option[] {
  const frequent = Float64Array.from(counts.values()).sort();
  const least = frequent[frequent.length - limit] ?? 0;
  return [...counts]
    .filter(([, times]) => times >= least)
    .map(([value, times]) => ({ value, count: times }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, limit);
}

/** Several refinements at once. */
export class RefinementCounts {
  readonly #tallies: ReadonlyMap<Refinement, Tally>;
  constructor(dictionaries: Dictionaries, refinements: readonly Refinement[]) {
    this.#tallies = new Map(refinements.map((name) => [name, tallies[name](dictionaries)]));
  }
  add(columns: Columns, selection: Selection): void {
    for (const tally of this.#tallies.values()) tally.add(columns, selection);
  }
  options(limit: number): Map<Refinement, Option[]> {
    return new Map([...this.#tallies].map(([name, tally]) => [name, optionsOf(tally.counts(), limit)]));
  }
}
