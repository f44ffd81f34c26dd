/** Enters teams, avatars and team lists of events. */
import type { TeamEntry } from "../domain/entries.ts";
import { labelledNumberMaxOf } from "../domain/seasons.ts";
import type { AvatarRow, EventTeamRow, TeamRow } from "../tables.ts";
import type { Ledger } from "./ledger.ts";
import { type Db, RowWriter } from "./rows.ts";
import { listAvatars, listEventTeams, listTeams, REGISTER } from "./teams.ts";

const TOLD_COLUMNS = [
  "label",
  "from_register",
  "name_short",
  "name_full",
  "school",
  "city",
  "stateprov",
  "country",
  "website",
  "rookie_year",
  "robot_name",
  "district",
  "home_championship",
  "adjustment_points",
] as const satisfies readonly (keyof TeamRow)[];
const teamRows = new RowWriter<TeamRow, "account" | "season" | "number">(
  "robotics_team",
  ["account", "season", "number"],
  [...TOLD_COLUMNS, "modified"],
);
const avatarRows = new RowWriter<AvatarRow, "account" | "season" | "number">(
  "robotics_avatar",
  ["account", "season", "number"],
  ["avatar", "modified"],
);
const eventTeamRows = new RowWriter<EventTeamRow, "account" | "season" | "event" | "team">(
  "robotics_event_team",
  ["account", "season", "event", "team"],
  [],
);

const freshTeam = (account: string, season: number, number: number): TeamRow => ({
  account,
  season,
  number,
  label: null,
  from_register: 1,
  name_short: `Team ${number}`,
  name_full: "",
  school: "",
  city: "",
  stateprov: "",
  country: "",
  website: "",
  rookie_year: 0,
  robot_name: "",
  district: null,
  home_championship: null,
  adjustment_points: 0,
  modified: 0,
});
const or = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given);
const merged = (before: TeamRow, entry: TeamEntry): TeamRow => ({
  ...before,
  name_short: or(entry.nameShort ?? undefined, before.name_short),
  name_full: or(entry.nameFull ?? undefined, before.name_full),
  school: or(entry.schoolName ?? undefined, before.school),
  city: or(entry.city ?? undefined, before.city),
  stateprov: or(entry.stateProv ?? undefined, before.stateprov),
  country: or(entry.country ?? undefined, before.country),
  website: or(entry.website ?? undefined, before.website),
  rookie_year: or(entry.rookieYear ?? undefined, before.rookie_year),
  robot_name: or(entry.robotName ?? undefined, before.robot_name),
  district: entry.districtCode === undefined ? before.district : (entry.districtCode?.toUpperCase() ?? null),
  home_championship: or(entry.homeCMP, before.home_championship),
  adjustment_points: or(entry.adjustmentPoints, before.adjustment_points),
});
const differs = (a: TeamRow, b: TeamRow): boolean => TOLD_COLUMNS.some((column) => a[column] !== b[column]);

async function touchTeams(ledger: Ledger, season: number, isNew: boolean): Promise<number> {
  if (isNew) await ledger.touchSeason(season, "summary_modified");
  await ledger.touchSeason(season, "standings_modified");
  return ledger.touchSeason(season, "teams_modified");
}

/** Enters teams of a season. An entry in the register also updates the seasons that follow it. */
export async function enterTeams(
  db: Db,
  account: string,
  ledger: Ledger,
  season: number,
  entries: readonly TeamEntry[],
): Promise<void> {
  if (season === REGISTER) return enterRegister(db, account, ledger, entries);
  const known = new Map((await listTeams(db, account, season)).map((row) => [row.number, row]));
  const register = await readRegister(
    db,
    account,
    entries.map(({ teamNumber }) => teamNumber).filter((number) => !known.has(number)),
  );
  const added = new Map<number, TeamRow>();
  const changed = new Map<number, TeamRow>();
  for (const entry of entries) {
    const { teamNumber: number } = entry;
    const old = known.get(number);
    const before = old ?? fromRegister(account, season, number, register.get(number));
    const wanted = { ...merged(before, entry), from_register: 0 };
    if (old && !differs(old, wanted)) continue;
    const row = { ...wanted, modified: await touchTeams(ledger, season, !old) };
    known.set(number, row);
    if (!old || added.has(number)) added.set(number, row);
    else changed.set(number, row);
  }
  await teamRows.insert(db, [...added.values()]);
  await teamRows.update(db, [...changed.values()]);
  await enterAvatars(
    db,
    account,
    ledger,
    season,
    entries.filter(({ encodedAvatar }) => encodedAvatar !== undefined),
  );
}

const fromRegister = (account: string, season: number, number: number, told: TeamRow | undefined): TeamRow =>
  told ? { ...told, season, from_register: 1, modified: 0 } : freshTeam(account, season, number);

/** Limit of team numbers per query. */
const NUMBERS_MAX = 500;
async function readRegister(
  db: Db,
  account: string,
  numbers: readonly number[],
): Promise<Map<number, TeamRow>> {
  const found = new Map<number, TeamRow>();
  for (let at = 0; at < numbers.length; at += NUMBERS_MAX) {
    const told = await db
      .selectFrom("robotics_team")
      .selectAll()
      .where("account", "=", account)
      .where("season", "=", REGISTER)
      .where("number", "in", numbers.slice(at, at + NUMBERS_MAX))
      .execute();
    for (const row of told) found.set(row.number, row);
  }
  return found;
}

async function enterRegister(
  db: Db,
  account: string,
  ledger: Ledger,
  entries: readonly TeamEntry[],
): Promise<void> {
  const known = await readRegister(
    db,
    account,
    entries.map(({ teamNumber }) => teamNumber),
  );
  const added = new Map<number, TeamRow>();
  const told: TeamRow[] = [];
  for (const entry of entries) {
    const old = known.get(entry.teamNumber);
    const wanted = merged(old ?? freshTeam(account, REGISTER, entry.teamNumber), entry);
    if (old && !differs(old, wanted)) continue;
    known.set(entry.teamNumber, wanted);
    if (!old || added.has(entry.teamNumber)) added.set(entry.teamNumber, wanted);
    else await teamRows.update(db, [wanted]);
    told.push(wanted);
  }
  await teamRows.insert(db, [...added.values()]);
  for (const row of told) await tellSeasons(db, account, ledger, row);
}
async function tellSeasons(db: Db, account: string, ledger: Ledger, told: TeamRow): Promise<void> {
  const following = await db
    .selectFrom("robotics_team")
    .selectAll()
    .where("account", "=", account)
    .where("number", "=", told.number)
    .where("season", ">", REGISTER)
    .where("from_register", "=", 1)
    .execute();
  for (const row of following) {
    const wanted = {
      ...told,
      season: row.season,
      from_register: 1,
      label: row.label,
      district: row.district,
      adjustment_points: row.adjustment_points,
    };
    if (!differs(row, wanted)) continue;
    const modified = await touchTeams(ledger, row.season, false);
    if (row.rookie_year !== wanted.rookie_year) await ledger.touchSeason(row.season, "summary_modified");
    await teamRows.update(db, [{ ...wanted, modified }]);
  }
}

async function enterAvatars(
  db: Db,
  account: string,
  ledger: Ledger,
  season: number,
  told: readonly TeamEntry[],
) {
  if (told.length === 0) return;
  const known = new Map((await listAvatars(db, account, season)).map((row) => [row.number, row]));
  for (const { teamNumber: number, encodedAvatar = null } of told) {
    const old = known.get(number);
    if (old && old.avatar === encodedAvatar) continue;
    const modified = await ledger.touchSeason(season, "avatars_modified");
    const row = { account, season, number, avatar: encodedAvatar, modified };
    if (old) await avatarRows.update(db, [row]);
    else await avatarRows.insert(db, [row]);
    known.set(number, row);
  }
}

/** Enters the teams of an event. Teams missing in the season are copied from the register. */
export async function enterEventTeams(
  db: Db,
  account: string,
  ledger: Ledger,
  {
    season,
    event,
    teams,
    whole,
  }: { season: number; event: string; teams: readonly number[]; whole: boolean },
): Promise<void> {
  const before = new Set(await listEventTeams(db, account, season, event));
  const added = [...new Set(teams)].filter((team) => !before.has(team));
  const gone = whole ? [...before].filter((team) => !teams.includes(team)) : [];
  if (added.length === 0 && gone.length === 0) return;
  await ledger.touchEvent(season, event, "teams_modified");
  await ledger.touchSeason(season, "teams_modified");
  await ledger.touchSeason(season, "events_modified");
  await ledger.touchSeason(season, "standings_modified");
  await eventTeamRows.insert(
    db,
    added.map((team) => ({ account, season, event, team })),
  );
  await addMissing(db, account, ledger, season, added);
  if (gone.length > 0)
    await db
      .deleteFrom("robotics_event_team")
      .where("account", "=", account)
      .where("season", "=", season)
      .where("event", "=", event)
      .where("team", "in", gone)
      .execute();
}
async function addMissing(
  db: Db,
  account: string,
  ledger: Ledger,
  season: number,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  const known = await db
    .selectFrom("robotics_team")
    .select("number")
    .where("account", "=", account)
    .where("season", "=", season)
    .where("number", "in", numbers as number[])
    .execute();
  const there = new Set(known.map(({ number }) => number));
  const missing = numbers.filter((number) => !there.has(number));
  if (missing.length === 0) return;
  const register = await readRegister(db, account, missing);
  const modified = await touchTeams(ledger, season, true);
  await teamRows.insert(
    db,
    missing.map((number) => ({ ...fromRegister(account, season, number, register.get(number)), modified })),
  );
}

/** Assigns numbers to robots with a letter, such as 254B: the highest free numbers of the season. */
export async function numberLabels(
  db: Db,
  account: string,
  ledger: Ledger,
  season: number,
  labels: readonly string[],
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  if (labels.length === 0) return numbers;
  const teams = await listTeams(db, account, season);
  const taken = new Set(teams.map(({ number }) => number));
  for (const { label, number } of teams) if (label !== null) numbers.set(label, number);
  let free = labelledNumberMaxOf(season);
  for (const label of labels) {
    if (numbers.has(label)) continue;
    while (taken.has(free)) free -= 1;
    taken.add(free);
    numbers.set(label, free);
    const modified = await touchTeams(ledger, season, true);
    const number = free;
    await teamRows.insert(db, [
      {
        ...freshTeam(account, season, number),
        label,
        name_short: `Team ${label}`,
        from_register: 0,
        modified,
      },
    ]);
  }
  return numbers;
}
