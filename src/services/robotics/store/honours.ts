/** Queries for alliances, awards and rankings. */
import { queriesOf } from "#kernel/db";
import type { AwardEntry, AwardKindEntry } from "../domain/entries.ts";
import type { Alliance, RankingRow } from "../domain/game.ts";
import type { AllianceRow, AwardKindRow, AwardRow, RankingRowStored } from "../tables.ts";
import type { Ledger } from "./ledger.ts";
import { type Db, RowWriter } from "./rows.ts";

const { compiledQuery } = queriesOf<Db>();

type AtEvent = { readonly season: number; readonly event: string };

const selectAlliances = compiledQuery<AllianceRow, [string, number, string]>(
  ["", 0, ""],
  (db, account, season, event) =>
    db
      .selectFrom("robotics_alliance")
      .selectAll()
      .where("account", "=", account)
      .where("season", "=", season)
      .where("event", "=", event)
      .orderBy("number"),
);
const allianceOf = ({ alliance }: AllianceRow): Alliance => JSON.parse(alliance);
export async function listAlliances(
  db: Db,
  account: string,
  season: number,
  event: string,
): Promise<Alliance[]> {
  return (await selectAlliances(db, account, season, event)).map(allianceOf);
}
const allianceRows = new RowWriter<AllianceRow, "account" | "season" | "event" | "number">(
  "robotics_alliance",
  ["account", "season", "event", "number"],
  ["alliance", "modified"],
);
/** Returns whether an alliance changed. */
export async function enterAlliances(
  db: Db,
  account: string,
  ledger: Ledger,
  { season, event, alliances }: AtEvent & { readonly alliances: readonly Alliance[] },
): Promise<boolean> {
  const known = new Map((await selectAlliances(db, account, season, event)).map((row) => [row.number, row]));
  let isChanged = false;
  for (const alliance of alliances) {
    const { number } = alliance;
    const old = known.get(number);
    const text = JSON.stringify(alliance);
    if (old?.alliance === text) continue;
    const modified = await ledger.touchEvent(season, event, "alliances_modified");
    const row = { account, season, event, number, alliance: text, modified };
    if (old) await allianceRows.update(db, [row]);
    else await allianceRows.insert(db, [row]);
    known.set(number, row);
    isChanged = true;
  }
  return isChanged;
}

const selectRankings = compiledQuery<RankingRowStored, [string, number, string]>(
  ["", 0, ""],
  (db, account, season, event) =>
    db
      .selectFrom("robotics_ranking")
      .selectAll()
      .where("account", "=", account)
      .where("season", "=", season)
      .where("event", "=", event)
      .orderBy("rank")
      .orderBy("team"),
);
export type StoredRanking = { readonly ranking: RankingRow; readonly modified: number };
/** Best first. */
export async function listRankings(
  db: Db,
  account: string,
  season: number,
  event: string,
): Promise<StoredRanking[]> {
  const found = await selectRankings(db, account, season, event);
  return found.map(({ ranking, modified }) => ({ ranking: JSON.parse(ranking), modified }));
}
const rankingRows = new RowWriter<RankingRowStored, "account" | "season" | "event" | "team">(
  "robotics_ranking",
  ["account", "season", "event", "team"],
  ["rank", "ranking", "modified"],
);
/** Replaces the ranking of an event. Returns whether a row changed. */
export async function enterRankings(
  db: Db,
  account: string,
  ledger: Ledger,
  { season, event, rankings }: AtEvent & { readonly rankings: readonly RankingRow[] },
): Promise<boolean> {
  const known = new Map((await selectRankings(db, account, season, event)).map((row) => [row.team, row]));
  const added: RankingRowStored[] = [];
  const changed: RankingRowStored[] = [];
  for (const ranking of rankings) {
    const { teamNumber: team, rank } = ranking;
    const old = known.get(team);
    known.delete(team);
    const text = JSON.stringify(ranking);
    if (old?.ranking === text) continue;
    const modified = await ledger.touchEvent(season, event, "rankings_modified");
    (old ? changed : added).push({ account, season, event, team, rank, ranking: text, modified });
  }
  await rankingRows.insert(db, added);
  await rankingRows.update(db, changed);
  for (const team of known.keys()) {
    await ledger.touchEvent(season, event, "rankings_modified");
    await db
      .deleteFrom("robotics_ranking")
      .where("account", "=", account)
      .where("season", "=", season)
      .where("event", "=", event)
      .where("team", "=", team)
      .execute();
  }
  return added.length + changed.length + known.size > 0;
}

/** Reads several events at once, for standings. */
async function rowsOfEvents<Table extends "robotics_ranking" | "robotics_alliance" | "robotics_award">(
  db: Db,
  account: string,
  season: number,
  { table, events }: { readonly table: Table; readonly events: readonly string[] },
) {
  return events.length === 0
    ? []
    : db
        .selectFrom(table as "robotics_award")
        .selectAll()
        .where("account", "=", account)
        .where("season", "=", season)
        .where("event", "in", events as string[])
        .execute();
}
function byEvent<Row extends { event: string }, T>(
  rows: readonly Row[],
  of: (row: Row) => T,
): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const list = found.get(row.event);
    if (list) list.push(of(row));
    else found.set(row.event, [of(row)]);
  }
  return found;
}
export async function rankingsOfEvents(db: Db, account: string, season: number, events: readonly string[]) {
  const rows = (await rowsOfEvents(db, account, season, {
    table: "robotics_ranking",
    events,
  })) as RankingRowStored[];
  return byEvent(rows, ({ ranking }): RankingRow => JSON.parse(ranking));
}
export async function alliancesOfEvents(db: Db, account: string, season: number, events: readonly string[]) {
  const rows = (await rowsOfEvents(db, account, season, {
    table: "robotics_alliance",
    events,
  })) as AllianceRow[];
  return byEvent(rows, allianceOf);
}
export async function awardsOfEvents(db: Db, account: string, season: number, events: readonly string[]) {
  return byEvent(await rowsOfEvents(db, account, season, { table: "robotics_award", events }), (row) => row);
}

/** With columns of the event and the team. */
export type AwardView = AwardRow & {
  readonly event_number: number;
  readonly school: string | null;
  readonly name_full: string | null;
};
const awardQuery = (db: Db, account: string, season: number) =>
  db
    .selectFrom("robotics_award as award")
    .innerJoin("robotics_event as event", (join) =>
      join
        .onRef("event.account", "=", "award.account")
        .onRef("event.season", "=", "award.season")
        .onRef("event.code", "=", "award.event"),
    )
    .leftJoin("robotics_team as team", (join) =>
      join
        .onRef("team.account", "=", "award.account")
        .onRef("team.season", "=", "award.season")
        .onRef("team.number", "=", "award.team"),
    )
    .selectAll("award")
    .select(["event.number as event_number", "team.school as school", "team.name_full as name_full"])
    .where("award.account", "=", account)
    .where("award.season", "=", season)
    .orderBy("award.event")
    .orderBy("award.award")
    .orderBy("award.series");
export async function listAwards(
  db: Db,
  account: string,
  season: number,
  { event, team }: { readonly event?: string; readonly team?: number },
): Promise<AwardView[]> {
  return awardQuery(db, account, season)
    .$if(event !== undefined, (query) => query.where("award.event", "=", event ?? ""))
    .$if(team !== undefined, (query) => query.where("award.team", "=", team ?? 0))
    .execute();
}

const selectEventAwards = compiledQuery<AwardRow, [string, number, string]>(
  ["", 0, ""],
  (db, account, season, event) =>
    db
      .selectFrom("robotics_award")
      .selectAll()
      .where("account", "=", account)
      .where("season", "=", season)
      .where("event", "=", event),
);
const awardRows = new RowWriter<AwardRow, "account" | "season" | "event" | "award" | "series">(
  "robotics_award",
  ["account", "season", "event", "award", "series"],
  ["name", "team", "person", "modified"],
);
/**
 * Enters awards of an event, and adds unknown kinds to the season's list. Returns whether an award changed.
 */
export async function enterAwards(
  db: Db,
  account: string,
  ledger: Ledger,
  { season, event, awards }: AtEvent & { readonly awards: readonly AwardEntry[] },
): Promise<boolean> {
  const known = new Map(
    (await selectEventAwards(db, account, season, event)).map((row) => [`${row.award}/${row.series}`, row]),
  );
  const added = new Map<string, AwardRow>();
  const changed = new Map<string, AwardRow>();
  for (const { awardId, series, name, teamNumber = null, person = null } of awards) {
    const key = `${awardId}/${series}`;
    const old = known.get(key);
    if (old && old.name === name && old.team === teamNumber && old.person === person) continue;
    const modified = await ledger.touchEvent(season, event, "awards_modified");
    await ledger.touchSeason(season, "awards_modified");
    const row = { account, season, event, award: awardId, series, name, team: teamNumber, person, modified };
    known.set(key, row);
    if (!old || added.has(key)) added.set(key, row);
    else changed.set(key, row);
  }
  await awardRows.insert(db, [...added.values()]);
  await awardRows.update(db, [...changed.values()]);
  const { type } = await ledger.event(season, event);
  await enterAwardKinds(db, account, ledger, {
    season,
    isOnlyForNew: true,
    kinds: awards.map(({ awardId, name, person }) => ({
      awardId,
      eventType: type,
      description: name,
      forPerson: person !== null && person !== undefined,
    })),
  });
  return added.size + changed.size > 0;
}

const selectKinds = compiledQuery<AwardKindRow, [string, number]>(["", 0], (db, account, season) =>
  db
    .selectFrom("robotics_award_kind")
    .selectAll()
    .where("account", "=", account)
    .where("season", "=", season)
    .orderBy("award")
    .orderBy("event_type"),
);
export const listAwardKinds = (db: Db, account: string, season: number): Promise<AwardKindRow[]> =>
  selectKinds(db, account, season);
const kindRows = new RowWriter<AwardKindRow, "account" | "season" | "award" | "event_type">(
  "robotics_award_kind",
  ["account", "season", "award", "event_type"],
  ["description", "for_person", "modified"],
);
export async function enterAwardKinds(
  db: Db,
  account: string,
  ledger: Ledger,
  {
    season,
    kinds,
    isOnlyForNew,
  }: { readonly season: number; readonly kinds: readonly AwardKindEntry[]; readonly isOnlyForNew: boolean },
): Promise<void> {
  if (kinds.length === 0) return;
  const known = new Map(
    (await listAwardKinds(db, account, season)).map((row) => [`${row.award}/${row.event_type}`, row]),
  );
  for (const { awardId, eventType, description, forPerson } of kinds) {
    const key = `${awardId}/${eventType}`;
    const old = known.get(key);
    const wanted = {
      account,
      season,
      award: awardId,
      event_type: eventType,
      description,
      for_person: forPerson ? 1 : 0,
    };
    if (old && (isOnlyForNew || (old.description === description && old.for_person === wanted.for_person)))
      continue;
    const row = { ...wanted, modified: await ledger.touchSeason(season, "award_list_modified") };
    if (old) await kindRows.update(db, [row]);
    else await kindRows.insert(db, [row]);
    known.set(key, row);
  }
}
