/**
 * Refinements on SQLite, which works in the server's own thread: what fits is read bit by bit with a turn for others between,
 * and counted here, instead of being sorted for each refinement.
 */
import { setImmediate as turn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { isoOf } from "#kernel/clock";
import { createdAtMsOf } from "../domain/order.ts";
import { type Option, REFINED_GEOHASH_LENGTH, type Refinement } from "../domain/refinements.ts";
import type { Tables } from "../tables/index.ts";
import type { Wanted } from "./search.ts";
import { sourceOf } from "./search-conditions.ts";

type Db = Kysely<Tables>;
const AT_ONCE = 2_000;
const DAY_MS = 86_400_000;
const DAY_LENGTH = 10;
const MONTH_LENGTH = 7;

type Scanned = {
  place: number;
  id: string;
  assignment_id: string;
  owner_id: string;
  user_id: string | null;
  country: string | null;
  geohash: string | null;
  images: number;
  videos: number;
};
type Tally = Map<string, number>;
const count = (tally: Tally, value: string, by = 1): void => {
  tally.set(value, (tally.get(value) ?? 0) + by);
};

/** What a contribution counts as; days are numbers until the end, because few of them are told. */
const valuesOf: Readonly<Record<Exclude<Refinement, "tag">, (row: Scanned) => readonly (string | null)[]>> = {
  assignment: (row) => [row.assignment_id],
  country: (row) => [row.country],
  createdDay: (row) => [String(Math.floor(createdAtMsOf(row.place) / DAY_MS))],
  createdMonth: (row) => [String(Math.floor(createdAtMsOf(row.place) / DAY_MS))],
  geohash: (row) => [row.geohash?.slice(0, REFINED_GEOHASH_LENGTH) ?? null],
  hasLocation: (row) => [row.geohash === null ? "false" : "true"],
  mediaType: (row) => [row.images > 0 ? "image" : null, row.videos > 0 ? "video" : null],
  ownedBy: (row) => [row.owner_id],
  user: (row) => [row.user_id],
};
const lengthOf = (name: Refinement): number | undefined =>
  name === "createdDay" ? DAY_LENGTH : name === "createdMonth" ? MONTH_LENGTH : undefined;

async function countTags(db: Db, account: string, rows: readonly Scanned[], tally: Tally): Promise<void> {
  const tagged = await db
    .selectFrom("contributions_tagged")
    .select(({ fn }) => ["tag_id", fn.countAll().as("count")])
    .where("account", "=", account)
    .where("kind", "=", "contribution")
    .where(
      "record_id",
      "in",
      rows.map(({ id }) => id),
    )
    .groupBy("tag_id")
    .execute();
  for (const row of tagged) count(tally, row.tag_id, Number(row.count));
}

function countRows(rows: readonly Scanned[], tallies: ReadonlyMap<Refinement, Tally>): void {
  for (const [name, tally] of tallies) {
    if (name === "tag") continue;
    const values = valuesOf[name];
    for (const row of rows) for (const value of values(row)) if (value !== null) count(tally, value);
  }
}

function optionsOf(name: Refinement, tally: Tally, limit: number): Option[] {
  const length = lengthOf(name);
  const told: Tally = length === undefined ? tally : new Map();
  if (length !== undefined)
    for (const [day, times] of tally) count(told, isoOf(Number(day) * DAY_MS).slice(0, length), times);
  return [...told]
    .map(([value, times]) => ({ value, count: times }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, limit);
}

export async function scanRefinements(
  db: Db,
  account: string,
  { filter, sight }: Wanted,
  refinements: readonly Refinement[],
  limit: number,
): Promise<Map<Refinement, Option[]>> {
  const tallies = new Map<Refinement, Tally>(refinements.map((name) => [name, new Map()]));
  const { from, where, order } = sourceOf(db, account, filter, sight);
  const column = sql.raw(order);
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const { rows } =
      await sql<Scanned>`select c.place, c.id, c.assignment_id, c.owner_id, c.user_id, c.country, c.geohash,
      c.images, c.videos from ${from} where ${where} and ${column} < ${before} order by ${column} desc limit ${AT_ONCE}`.execute(
        db,
      );
    countRows(rows, tallies);
    const tags = tallies.get("tag");
    if (tags && rows.length > 0) await countTags(db, account, rows, tags);
    const last = rows.at(-1);
    if (rows.length < AT_ONCE || !last) break;
    before = last.place;
    await turn();
  }
  return new Map([...tallies].map(([name, tally]) => [name, optionsOf(name, tally, limit)]));
}
