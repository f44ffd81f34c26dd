/** Queries for events, districts and seasons. */
import { queriesOf } from "#kernel/db";
import type { DistrictEntry, EventEntry, SeasonEntry } from "../domain/entries.ts";
import type { DistrictRow, EventRow } from "../tables.ts";
import type { Ledger } from "./ledger.ts";
import { type Db, RowWriter } from "./rows.ts";

const { compiledQuery } = queriesOf<Db>();

const selectEvents = compiledQuery<EventRow, [string, number]>(["", 0], (db, account, season) =>
  db
    .selectFrom("robotics_event")
    .selectAll()
    .where("account", "=", account)
    .where("season", "=", season)
    .orderBy("code"),
);
/** Sorted by code. */
export const listEvents = (db: Db, account: string, season: number): Promise<EventRow[]> =>
  selectEvents(db, account, season);

export async function listDistricts(db: Db, account: string, season: number): Promise<DistrictRow[]> {
  return db
    .selectFrom("robotics_district")
    .selectAll()
    .where("account", "=", account)
    .where("season", "=", season)
    .orderBy("code")
    .execute();
}
export async function findDistrict(
  db: Db,
  account: string,
  season: number,
  code: string,
): Promise<DistrictRow | undefined> {
  return db
    .selectFrom("robotics_district")
    .selectAll()
    .where("account", "=", account)
    .where("season", "=", season)
    .where("code", "=", code)
    .executeTakeFirst();
}
/** Newest first. */
export async function listLatestEvents(db: Db, account: string, limit: number): Promise<EventRow[]> {
  return db
    .selectFrom("robotics_event")
    .selectAll()
    .where("account", "=", account)
    .orderBy("season", "desc")
    .orderBy("results_modified", "desc")
    .orderBy("code")
    .limit(limit)
    .execute();
}
/** Health check of the database. */
export async function isReachable(db: Db): Promise<boolean> {
  return db
    .selectFrom("robotics_season")
    .select("season")
    .where("account", "=", "")
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
}

export async function enterSeason(
  _db: Db,
  _account: string,
  ledger: Ledger,
  season: number,
  entry: SeasonEntry,
): Promise<void> {
  const before = await ledger.season(season);
  const wanted = {
    game_name: entry.gameName ?? before.game_name,
    kickoff: entry.kickoff ?? before.kickoff,
    rookie_start: entry.rookieStart ?? before.rookie_start,
    championships:
      entry.frcChampionships === undefined ? before.championships : JSON.stringify(entry.frcChampionships),
  };
  const isSame = Object.entries(wanted).every(
    ([column, value]) => before[column as keyof typeof wanted] === value,
  );
  if (isSame) return;
  await ledger.changeSeason(season, wanted);
  await ledger.touchSeason(season, "summary_modified");
}

const districtRows = new RowWriter<DistrictRow, "account" | "season" | "code">(
  "robotics_district",
  ["account", "season", "code"],
  ["name", "district_places", "championship_places", "modified"],
);
export async function enterDistricts(
  db: Db,
  account: string,
  ledger: Ledger,
  season: number,
  entries: readonly DistrictEntry[],
): Promise<void> {
  for (const entry of entries) {
    const code = entry.code.toUpperCase();
    const before = await findDistrict(db, account, season, code);
    const wanted = {
      account,
      season,
      code,
      name: entry.name ?? before?.name ?? code,
      district_places: entry.districtChampionshipPlaces ?? before?.district_places ?? 0,
      championship_places: entry.championshipPlaces ?? before?.championship_places ?? 0,
    };
    const isSame =
      before &&
      before.name === wanted.name &&
      before.district_places === wanted.district_places &&
      before.championship_places === wanted.championship_places;
    if (isSame) continue;
    await ledger.touchSeason(season, "standings_modified");
    const modified = await ledger.touchSeason(season, "districts_modified");
    if (before) await districtRows.update(db, [{ ...wanted, modified }]);
    else await districtRows.insert(db, [{ ...wanted, modified }]);
  }
}

const textOr = (given: string | null | undefined, before: string): string =>
  given === undefined ? before : (given ?? "");
const or = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given);

export async function enterEvent(
  _db: Db,
  _account: string,
  ledger: Ledger,
  season: number,
  code: string,
  entry: EventEntry,
): Promise<void> {
  const before = await ledger.event(season, code);
  const wanted = {
    name: entry.name ?? before.name,
    type: entry.type ?? before.type,
    district:
      entry.districtCode === undefined ? before.district : (entry.districtCode?.toUpperCase() ?? null),
    division: or(entry.divisionCode, before.division),
    venue: textOr(entry.venue, before.venue),
    address: textOr(entry.address, before.address),
    city: textOr(entry.city, before.city),
    stateprov: textOr(entry.stateprov, before.stateprov),
    country: textOr(entry.country, before.country),
    timezone: textOr(entry.timezone, before.timezone),
    website: textOr(entry.website, before.website),
    webcasts: entry.webcasts === undefined ? before.webcasts : JSON.stringify(entry.webcasts ?? []),
    date_start: or(entry.dateStart, before.date_start),
    date_end: or(entry.dateEnd, before.date_end),
  };
  const isSame = Object.entries(wanted).every(
    ([column, value]) => before[column as keyof typeof wanted] === value,
  );
  if (isSame) return;
  await ledger.changeEvent(season, code, wanted);
  await ledger.touchEvent(season, code, "modified");
  await ledger.touchSeason(season, "events_modified");
  await ledger.touchSeason(season, "summary_modified");
  await ledger.touchSeason(season, "standings_modified");
}
