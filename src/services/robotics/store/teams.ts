/** Queries for teams of a season, team lists of events, and avatars. */
import { queriesOf } from "#kernel/db";
import type { AvatarRow, TeamRow } from "../tables.ts";
import type { Db } from "./rows.ts";

const { compiledQuery } = queriesOf<Db>();

/** Pseudo-season of the team register, which is independent of seasons. */
export const REGISTER = 0;

const selectTeams = compiledQuery<TeamRow, [string, number]>(["", 0], (db, account, season) =>
  db
    .selectFrom("robotics_team")
    .selectAll()
    .where("account", "=", account)
    .where("season", "=", season)
    .orderBy("number"),
);
/** Sorted by number. */
export const listTeams = (db: Db, account: string, season: number): Promise<TeamRow[]> =>
  selectTeams(db, account, season);

const selectTeam = compiledQuery<TeamRow, [string, number, number]>(
  ["", 0, 0],
  (db, account, season, number) =>
    db
      .selectFrom("robotics_team")
      .selectAll()
      .where("account", "=", account)
      .where("season", "=", season)
      .where("number", "=", number),
);
export async function findTeam(
  db: Db,
  account: string,
  season: number,
  number: number,
): Promise<TeamRow | undefined> {
  return (await selectTeam(db, account, season, number))[0];
}

const selectEventTeams = compiledQuery<{ team: number }, [string, number, string]>(
  ["", 0, ""],
  (db, account, season, event) =>
    db
      .selectFrom("robotics_event_team")
      .select("team")
      .where("account", "=", account)
      .where("season", "=", season)
      .where("event", "=", event)
      .orderBy("team"),
);
export async function listEventTeams(
  db: Db,
  account: string,
  season: number,
  event: string,
): Promise<number[]> {
  return (await selectEventTeams(db, account, season, event)).map(({ team }) => team);
}
const selectEventsOfTeam = compiledQuery<{ event: string }, [string, number, number]>(
  ["", 0, 0],
  (db, account, season, team) =>
    db
      .selectFrom("robotics_event_team")
      .select("event")
      .where("account", "=", account)
      .where("season", "=", season)
      .where("team", "=", team)
      .orderBy("event"),
);
export async function listEventsOfTeam(
  db: Db,
  account: string,
  season: number,
  team: number,
): Promise<string[]> {
  return (await selectEventsOfTeam(db, account, season, team)).map(({ event }) => event);
}

export async function listAvatars(db: Db, account: string, season: number): Promise<AvatarRow[]> {
  return db
    .selectFrom("robotics_avatar")
    .selectAll()
    .where("account", "=", account)
    .where("season", "=", season)
    .orderBy("number")
    .execute();
}
/** Number of teams at each event of the season. */
export async function countEventTeams(db: Db, account: string, season: number): Promise<Map<string, number>> {
  const counted = await db
    .selectFrom("robotics_event_team")
    .select(["event", ({ fn }) => fn.countAll().as("count")])
    .where("account", "=", account)
    .where("season", "=", season)
    .groupBy("event")
    .execute();
  return new Map(counted.map(({ event, count }) => [event, Number(count)]));
}
export async function countTeams(db: Db, account: string, season: number): Promise<number> {
  const row = await db
    .selectFrom("robotics_team")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("season", "=", season)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
/** Lowest number of a rookie team in this season; 0 if there is none. */
export async function lowestRookie(db: Db, account: string, season: number): Promise<number> {
  const row = await db
    .selectFrom("robotics_team")
    .select(({ fn }) => fn.min("number").as("lowest"))
    .where("account", "=", account)
    .where("season", "=", season)
    .where("rookie_year", "=", season)
    .where("label", "is", null)
    .executeTakeFirst();
  return Number(row?.lowest ?? 0);
}
