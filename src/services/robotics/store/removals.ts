/** Removes wrong entries, and records what was removed and by which user. */

import type { RemovalRow } from "../tables.ts";
import { enterRanking } from "./enter.ts";
import { listAlliances, listAwards } from "./honours.ts";
import type { Ledger } from "./ledger.ts";
import { findEvent, playedChangesOf } from "./ledger.ts";
import { listMatches, removeMatch } from "./matches.ts";
import type { Db } from "./rows.ts";
import { listEventsOfTeam } from "./teams.ts";

export type Removal = Pick<RemovalRow, "season" | "kind" | "name" | "second" | "removed_by" | "removed_at">;

/** Newest first. */
export async function listRemovals(db: Db, account: string, season: number): Promise<RemovalRow[]> {
  return db
    .selectFrom("robotics_removal")
    .selectAll()
    .where("account", "=", account)
    .where("season", "=", season)
    .orderBy("number", "desc")
    .execute();
}
export async function keepRemoval(db: Db, account: string, removal: Removal): Promise<void> {
  const last = await db
    .selectFrom("robotics_removal")
    .select(({ fn }) => fn.max("number").as("number"))
    .where("account", "=", account)
    .where("season", "=", removal.season)
    .executeTakeFirst();
  await db
    .insertInto("robotics_removal")
    .values({ account, ...removal, number: Number(last?.number ?? 0) + 1 })
    .execute();
}

const EVENT_TABLES = [
  "robotics_match",
  "robotics_ranking",
  "robotics_alliance",
  "robotics_award",
  "robotics_event_team",
] as const;
/**
 * Removes the event with its dependent rows. Its teams stay in the season. Returns its last second;
 * undefined if there is no such event.
 */
export async function removeEvent(
  db: Db,
  account: string,
  ledger: Ledger,
  season: number,
  code: string,
): Promise<number | undefined> {
  const event = await findEvent(db, account, season, code);
  if (!event) return undefined;
  for (const table of EVENT_TABLES)
    await db
      .deleteFrom(table as "robotics_match")
      .where("account", "=", account)
      .where("season", "=", season)
      .where("event", "=", code)
      .execute();
  await db
    .deleteFrom("robotics_event")
    .where("account", "=", account)
    .where("season", "=", season)
    .where("code", "=", code)
    .execute();
  await ledger.touchSeason(season, "summary_modified");
  await ledger.touchSeason(season, "teams_modified");
  await ledger.touchSeason(season, "awards_modified");
  await ledger.touchSeason(season, "standings_modified");
  await ledger.touchSeason(season, "events_modified");
  return Math.max(...playedChangesOf(event), event.awards_modified);
}

/** Events whose matches or alliances contain the digits. The list of teams of an event may lack some that played. */
async function listEventsThatMention(
  db: Db,
  account: string,
  season: number,
  team: number,
): Promise<Set<string>> {
  const inMatches = await db
    .selectFrom("robotics_match")
    .select("event")
    .distinct()
    .where("account", "=", account)
    .where("season", "=", season)
    .where("teams", "like", `%${team}%`)
    .execute();
  const inAlliances = await db
    .selectFrom("robotics_alliance")
    .select("event")
    .distinct()
    .where("account", "=", account)
    .where("season", "=", season)
    .where("alliance", "like", `%${team}%`)
    .execute();
  return new Set([...inMatches, ...inAlliances].map(({ event }) => event));
}

/** An event with a match, an alliance or an award of the team; undefined if the team can be removed. */
export async function findEventWithTeam(
  db: Db,
  account: string,
  season: number,
  team: number,
): Promise<string | undefined> {
  const [award] = await listAwards(db, account, season, { team });
  if (award) return award.event;
  for (const event of await listEventsThatMention(db, account, season, team)) {
    const matches = await listMatches(db, account, season, event);
    const alliances = await listAlliances(db, account, season, event);
    const isIn = matches.some(({ teams }) => teams.some(({ teamNumber }) => teamNumber === team));
    const isPicked = alliances.some((alliance) => Object.values(alliance).includes(team));
    if (isIn || isPicked) return event;
  }
  return undefined;
}
/** Removes the team with its avatar and its event registrations. */
export async function removeTeam(
  db: Db,
  account: string,
  ledger: Ledger,
  season: number,
  team: number,
): Promise<void> {
  for (const event of await listEventsOfTeam(db, account, season, team)) {
    await ledger.touchEvent(season, event, "teams_modified");
    await ledger.touchSeason(season, "events_modified");
  }
  await db
    .deleteFrom("robotics_event_team")
    .where("account", "=", account)
    .where("season", "=", season)
    .where("team", "=", team)
    .execute();
  for (const table of ["robotics_team", "robotics_avatar"] as const)
    await db
      .deleteFrom(table as "robotics_team")
      .where("account", "=", account)
      .where("season", "=", season)
      .where("number", "=", team)
      .execute();
  await ledger.touchSeason(season, "summary_modified");
  await ledger.touchSeason(season, "avatars_modified");
  await ledger.touchSeason(season, "standings_modified");
  await ledger.touchSeason(season, "teams_modified");
}

/** Updates the ranking too. Returns whether the match existed. */
export async function removeMatchOfEvent(
  db: Db,
  account: string,
  ledger: Ledger,
  match: { season: number; event: string; level: string; number: number },
): Promise<boolean> {
  const { season, event } = match;
  const play = await removeMatch(db, account, ledger, match);
  if (!play) return false;
  await enterRanking(db, account, ledger, { season, event, play, keepsPublished: false });
  await ledger.touchSeason(season, "standings_modified");
  return true;
}
